import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openPayroll } from '../support/pay-run.ts';
import { startPayrollService } from '../support/payroll-service.ts';
import { runHere } from '../support/run-here.ts';
import type { Finished } from '../support/run-payrun.ts';
import { watchService } from '../support/watched-service.ts';

const number = '4242424242424242';
const grouped = '4242 4242 4242 4242';
const card = JSON.stringify({ number: grouped, cvv: '931', expMonth: '07', expYear: '2033' });
const forms = [number, grouped, Buffer.from(number).toString('base64'), '07/33', '7/2033'];
/** By itself: within a reference or a time of day three digits come about by chance. */
const code = /(?<!\w)931(?!\w)/;
const echo = `card ${number}, ${grouped}, ${Buffer.from(number).toString('base64')}, code 931 until 07/33`;
const charge = ['service', 'charge', 'card', '--amount', 'KES=1500', '--email', 'a@example.com', '--yes'];

/** Every file below a folder, but the one that a person wrote the card into. */
function leftBehind(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith('card.json'))
    .map((path) => [path, readFileSync(path).toString('latin1')]);
}

function expectNoCard(ended: readonly Finished[], folder: string): void {
  const said = ended.flatMap(({ stdout, stderr }) => [stdout, stderr]);
  for (const text of said) {
    for (const form of forms) expect(text).not.toContain(form);
    expect(text).not.toMatch(code);
  }
  const files = leftBehind(folder);
  for (const [path, bytes] of files)
    for (const form of [number, grouped]) expect(bytes.includes(form), path).toBe(false);
  for (const [path, bytes] of files.filter(([path]) => /\.(log|json)$/.test(path)))
    expect(code.test(bytes), path).toBe(false);
}

describe('a card that was charged', () => {
  test('is nowhere afterwards, wherever a service repeats it and whatever goes wrong', async () => {
    const service = await startPayrollService();
    const watched = await watchService(service);
    const { env, folder, write } = openPayroll(watched);
    const file = write('card.json', card);
    expect([card, echo].every((text) => code.test(text))).toBe(true);
    const ended = [
      await runHere(charge, { env, input: card }),
      await runHere([...charge, '--input', file, '--json'], { env }),
      await runHere([...charge, '--sandbox'], { env, input: card }),
    ];
    expect(ended.map(({ exit }) => exit)).toEqual([0, 0, 0]);
    expect(watched.calls.filter(({ body }) => body.includes(number))).toHaveLength(2);

    const answers = [
      [
        200,
        {
          success: true,
          message: echo,
          data: { transactionId: 'T1', stepRequired: echo, cvv: '931', number },
        },
      ],
      [
        200,
        { success: true, message: echo, data: { transactionId: `T-${number}`, redirectUrl: `x:${grouped}` } },
      ],
      [400, { success: false, message: echo, errorCode: `E ${number}` }],
      [402, { message: echo, [number]: Number(number) }],
      [500, { success: false, message: echo, errorCode: echo }],
    ] as const;
    const exits: (number | null)[] = [];
    for (const [status, body] of answers) {
      watched.interfere(({ path }) =>
        path.startsWith('/fiat/deposit') ? { kind: 'answer', status, body } : undefined,
      );
      for (const form of [[], ['--json']]) {
        ended.push(await runHere([...charge, ...form], { env, input: card }));
        exits.push(ended.at(-1)?.exit ?? null);
      }
    }
    expect(exits).toEqual([0, 0, 4, 4, 3, 3, 4, 4, 4, 4]);
    watched.interfere();

    const before = watched.calls.length;
    for (const [words, input] of [
      [charge, `{"number": "${number}", "cvv": "931"`],
      [charge, `["${number}", "931"]`],
      [charge, JSON.stringify({ number, cvv: '931', [number]: '931' })],
      [charge, JSON.stringify({ number: `${number}0000`, cvv: '93', expMonth: '7', expYear: '2033' })],
      [[...charge, '--number', number], ''],
      [[...charge, `--number=${number}`, '--cvv=931'], ''],
      [[...charge, number], card],
      [['service', 'charge', number], card],
      [['service', 'charge', 'authorise', 'T1', '--type', 'otp', '--value=931', '--yes'], '931'],
    ] as const) {
      const refused = await runHere(words, { env, input });
      expect(refused.exit, refused.stderr).toBe(2);
      expect(refused.stderr).not.toContain('    at ');
      ended.push(refused);
    }
    expect(watched.calls.length).toBe(before);
    expectNoCard(ended, folder);
  });
});
