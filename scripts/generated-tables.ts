import { reasons } from '../src/domain/payout/reasons.ts';
import { sendCodes, sendOutcomes } from '../src/domain/payout/send-ends.ts';
import { batchProblems } from '../src/domain/problems/batch-problems.ts';
import { readingProblems } from '../src/domain/problems/reading-problems.ts';
import { rowProblems, rowRepairs } from '../src/domain/problems/row-problems.ts';
import { countries, currencies, isPayable } from '../src/domain/reference-data/countries.ts';
import { fields } from '../src/domain/row.ts';
import { errorCodes } from '../src/error-codes.ts';
import { fieldLabels, headerAliases } from '../src/file/header/header-aliases.ts';
import { resultRowSchema, rowStatuses } from '../src/report/result-row-document.ts';
import { faultWords } from '../src/sandbox/faults/fault-plan.ts';
import { testCards, testEndings } from '../src/sandbox/faults/test-numbers.ts';
import type { Endpoint } from '../src/service/contract/endpoint.ts';
import { endpoints } from '../src/service/contract/endpoints.ts';
import { failureOf, specifiedFailures } from '../src/service/contract/error-codes.ts';
import { defaultPrefix, sandboxPrefix } from '../src/service/contract/prefixes.ts';

/** Tables of the docs that are data of the code: `<!-- table: NAME -->` in docs/FILE begins one. */
export function generatedTables(): Record<string, Record<string, string>> {
  return {
    'file-format.md': fileFormatTables(),
    'codes.md': codeTables(),
    'service.md': {
      endpoints: table(
        ['call', 'method and path', 'effect'],
        Object.entries(endpoints).map(([name, { method, path, effect, ...rest }]: [string, Endpoint]) => [
          `\`${name}\``,
          `\`${method} ${rest.sandboxOnly ? sandboxPrefix : defaultPrefix}${path}\``,
          effect,
        ]),
      ),
      'error-codes': table(
        ['errorCode', 'status', 'message', 'from'],
        Object.entries(failureOf).map(([code, { status, message }]) => [
          `\`${code}\``,
          String(status),
          message,
          Object.hasOwn(specifiedFailures, code) ? 'specification' : 'embedded service',
        ]),
      ),
    },
    'sandbox.md': {
      'magic-endings': table(
        ['ending', 'what happens'],
        Object.entries(testEndings).map(([ending, { says }]) => [`…${ending}`, says]),
      ),
      'magic-cards': table(
        ['card', 'what happens'],
        Object.entries(testCards).map(([number, { says }]) => [number, says]),
      ),
      faults: table(
        ['word', 'meaning'],
        Object.entries(faultWords).map(([word, says]) => [`\`${word}\``, says]),
      ),
    },
  };
}

function codeTables(): Record<string, string> {
  const meanings = (kinds: Record<string, string>, head: string) =>
    table(
      [head, 'meaning'],
      Object.entries(kinds).map(([code, meaning]) => [`\`${code}\``, meaning]),
    );
  const withTodo = (kinds: Record<string, { means: string; todo: string }>) =>
    table(
      ['code', 'what it means', 'what to do'],
      Object.entries(kinds).map(([code, { means, todo }]) => [`\`${code}\``, means, todo]),
    );
  return {
    reasons: withTodo(reasons),
    errors: table(
      ['code', 'exit', 'what it means', 'what to do'],
      Object.entries(errorCodes).map(([code, { exit, means, todo }]) => [
        `\`${code}\``,
        String(exit),
        means,
        todo,
      ]),
    ),
    'send-outcomes': meanings(sendOutcomes, 'outcome'),
    'send-codes': meanings(sendCodes, 'code'),
  };
}

function fileFormatTables(): Record<string, string> {
  return {
    columns: table(
      ['column', 'what it is', 'other headers that are read as it'],
      fields.map((field) => [`\`${field}\``, fieldLabels[field], (headerAliases[field] ?? []).join(', ')]),
    ),
    countries: table(
      ['code', 'country', 'paid in', 'mobile money', 'branch code'],
      countries.map(({ iso2, name, operators, branchCodeNeeded }) => [
        iso2,
        name,
        currencies
          .filter(({ code }) => isPayable(code, iso2))
          .map(({ code }) => code)
          .join(', '),
        operators.map((operator) => operator.name).join(', ') || 'none',
        branchCodeNeeded ? 'needed' : '',
      ]),
    ),
    wallets: table(
      ['currency', 'decimals', 'wallets'],
      currencies.map(({ code, decimals, walletCountries }) => [
        code,
        String(decimals),
        walletCountries.join(', '),
      ]),
    ),
    'result-columns': table(
      ['column', 'what it says'],
      Object.entries(resultRowSchema.shape).map(([name, cell]) => [
        `\`${name}\``,
        cell.meta()?.description ?? '',
      ]),
    ),
    statuses: table(
      ['status', 'meaning'],
      Object.entries(rowStatuses).map(([status, meaning]) => [`\`${status}\``, meaning]),
    ),
    'reading-problems': problemTable(readingProblems),
    'row-problems': problemTable(rowProblems),
    'batch-problems': problemTable(batchProblems),
    repairs: table(
      ['code', 'what was repaired'],
      Object.entries(rowRepairs).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
  };
}

function problemTable(
  kinds: Record<string, { blocking: boolean; scope?: 'file' | 'row'; meaning: string }>,
): string {
  return table(
    ['code', 'stops', 'meaning'],
    Object.entries(kinds).map(([code, { blocking, scope, meaning }]) => [
      `\`${code}\``,
      blocking ? `the ${scope ?? 'row'}` : 'nothing (warning)',
      meaning,
    ]),
  );
}

/** Puts the tables between their marks. */
export function withTables(text: string, tables: Record<string, string>): string {
  return Object.entries(tables).reduce((page, [name, content]) => {
    const begin = `<!-- table: ${name} -->\n`;
    const end = '<!-- end -->';
    const from = page.indexOf(begin);
    const to = page.indexOf(end, from);
    if (from < 0 || to < 0) throw new Error(`no place for table ${name}`);
    return `${page.slice(0, from + begin.length)}${content}${page.slice(to)}`;
  }, text);
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('');
}
