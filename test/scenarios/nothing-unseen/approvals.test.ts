import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { newSigningKey, openSigningKey, type Signer } from '../../../src/domain/approval/signing-key.ts';
import { type Config, openPayrun, type Payrun } from '../../../src/index.ts';
import { chainTrouble } from '../../../src/journal/event-chain.ts';
import { approvalDocument, approvalText } from '../../../src/report/approval-document.ts';
import { type PlanDocument, planDocument } from '../../../src/report/plan-document.ts';
import { planFileOf } from '../../../src/report/plan-file.ts';
import { planFileReport } from '../../../src/report/plan-file-report.ts';
import { signPlan } from '../../../src/report/signed-plan.ts';
import { journalStore, journalUrlFor } from '../../support/journal-store.ts';

const header = 'paymentId,accountName,country,currency,amount,phoneNumber';
const mary = 'E1,Mary Wanjiku,KE,KES,1500.00,+254700000001';
const peter = 'E2,Peter Mutua,KE,KES,2500.50,+254712000002';
const at = '2026-11-16T08:00:00.000Z';

/** Three people of one office, and one who is not. */
const [grace, juma, amina, stranger] = ['Grace', 'Juma', 'Amina', 'Eve'].map(person) as [
  Person,
  Person,
  Person,
  Person,
];
const two: Config = { approvals: 1, approvers: [grace.line, juma.line, amina.line] };

interface Person extends Signer {
  readonly line: string;
}

function person(name: string): Person {
  const { key, pem } = newSigningKey('correct horse battery');
  const signer = openSigningKey(pem, 'correct horse battery');
  if (!signer) throw new Error('the key does not open');
  return { ...signer, line: `${key} ${name}` };
}

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payrun-approvals-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  file = written(mary, peter);
});

function written(...rows: readonly string[]): string {
  const path = join(folder, 'november.csv');
  writeFileSync(path, `${[header, ...rows].join('\n')}\n`);
  return path;
}

async function office<Value>(config: Config, work: (payrun: Payrun) => Promise<Value>): Promise<Value> {
  const payrun = openPayrun({
    workspace: join(folder, 'workspace'),
    journalUrl: journalUrlFor(join(folder, 'workspace')),
    service: 'sandbox',
    config,
    operator: 'cron',
  });
  try {
    await payrun.init();
    return await work(payrun);
  } finally {
    await payrun.close();
  }
}

/** A plan as `plan --key` writes it, and what a hand may have done to it before it was signed. */
function planBy(
  planner: Signer | undefined,
  config: Config = two,
  forge: (document: PlanDocument) => PlanDocument = (document) => document,
): Promise<string> {
  return office(config, async (payrun) => {
    const planned = await payrun.plan(file, { checkNames: true });
    const policies = await payrun.approvalPolicies();
    const document = forge(planDocument(planned, { file, kind: 'SANDBOX', remembers: true, policies }));
    const signed = planner ? signPlan(document, planner, { name: 'x', at }) : document;
    return `${JSON.stringify(signed, null, 2)}\n`;
  });
}

const approved = (plan: string, by: Signer, name = 'x') =>
  approvalText(approvalDocument(planFileOf(plan), by, { name, at }));

/** How a run by a plan ends: the words of its refusals; empty where it paid. */
async function refusals(
  plan: string | undefined,
  approvals: readonly string[],
  config = two,
): Promise<string> {
  const given = approvals.map((text, index) => ({ from: `approval ${index + 1}`, text }));
  const result = await office(config, (payrun) => payrun.run(file, { plan, approvals: given }));
  if (result.kind === 'ran') return '';
  expect(result.planned.exit).toBe(6);
  return result.planned.plan.guards.map(({ code, message }) => `${code}: ${message}`).join('\n');
}

function events(): Promise<{ to: string; why: string; operator: string }[]> {
  return journalStore(join(folder, 'workspace'), 'sandbox').ask((db) => {
    expect(chainTrouble(db)).toBeUndefined();
    return db
      .prepare<[], { to: string; why: string; operator: string }>(
        `SELECT to_state AS "to", why, operator FROM events WHERE payout IS NULL AND to_state <> 'batch' ORDER BY seq`,
      )
      .all();
  });
}

describe('with approvals in the configuration', () => {
  test('a plan is paid once another person has approved it, and the log says who did', async () => {
    expect(await refusals(undefined, [])).toContain('approvals: A plan must be approved by one other person');
    const plan = await planBy(grace);
    expect(await refusals(plan, [])).toContain('0 of 1 needed approvals count.');
    // Stopped after the first payout: the same again carries on, and so would a resume.
    const controller = new AbortController();
    const stopped = await office(two, (payrun) =>
      payrun.run(file, {
        plan,
        approvals: [{ from: 'a', text: approved(plan, juma) }],
        signal: controller.signal,
        onEvent: (event) => {
          if (event.kind === 'stage' && event.stage === 'submit' && event.done === 1) controller.abort();
        },
      }),
    );
    expect(stopped).toMatchObject({ kind: 'ran', summary: { statuses: { not_sent: 1 } } });
    expect(await refusals(plan, [approved(plan, juma)])).toBe('');
    const { statuses } = await office(two, (payrun) => payrun.status('november'));
    expect(statuses).toMatchObject({ paid: 2, not_sent: 0 });
    const logged = await events();
    expect(logged.map(({ to }) => to)).toEqual(['approval-policy', 'plan-signed', 'approved']);
    expect(logged[1]?.why).toContain(`signed by Grace (${grace.key}) on ${at}`);
    expect(logged[2]?.why).toContain(`approved by Juma (${juma.key}) on ${at}, to send KES 4000.50`);
    // Nothing is logged twice. A resume asks nobody.
    expect(await refusals(plan, [approved(plan, juma)])).toBe('');
    expect(await events()).toHaveLength(3);
    expect(await office(two, (payrun) => payrun.resume('november'))).toMatchObject({ exit: 0 });
    // A journal that was made to forget the list is found by an audit.
    const audited = () =>
      office(two, async (payrun) => (await payrun.audit()).findings.map(({ kind }) => kind));
    expect(await audited()).toEqual([]);
    await journalStore(join(folder, 'workspace'), 'sandbox').ask((db) => {
      db.exec(`DELETE FROM facts WHERE key = 'approval-policy'`);
    });
    expect(await audited()).toEqual(['state-differs']);
  });

  test('neither the planner, nor a stranger, nor one person twice is another person', async () => {
    const plan = await planBy(grace);
    expect(await refusals(plan, [approved(plan, grace)])).toContain(
      'it is by the planner, who cannot approve',
    );
    expect(await refusals(plan, [approved(plan, stranger)])).toContain(
      `its key ${stranger.key} is not listed`,
    );
    const three = { ...two, approvals: 2 };
    const strict = await planBy(grace, three);
    const again = approved(strict, juma, 'somebody else');
    const twice = await refusals(strict, [approved(strict, juma), again], three);
    expect(twice).toContain('1 of 2 needed approvals count.');
    expect(twice).toContain('approval 2: its key has approved already');
    expect(await refusals(await planBy(undefined), [])).toContain('Nobody has signed the plan');
    const strangers = await planBy(stranger);
    expect(await refusals(strangers, [approved(strangers, juma)])).toContain('which is not listed.');
  });

  test('another byte of plan or approval is another plan, or none', async () => {
    const plan = await planBy(grace);
    const approval = approved(plan, juma);
    const blank = `${plan} `;
    expect(await refusals(blank, [approval])).toContain('approval 1: it is for another plan');
    const changed = plan.replace('"rows": 2', '"rows": 3');
    const both = await refusals(changed, [approved(changed, juma)]);
    expect(both).toContain('The plan was changed after it was signed.');
    for (const other of [
      `${approval} `,
      approval.replace('"x"', '"y"'),
      approval.replace(/4000\.50/, '4000.51'),
      '{}',
    ]) {
      // However many others there are.
      const all = await refusals(plan, [other, approved(plan, amina)]);
      expect(all).toContain('approval 1: it is no approval, or was changed after it was signed');
    }
    const spare = approval.replace(
      /"signature": "(.*)(.)"/,
      (_, head, last) => `"signature": "${head}${next(last)}"`,
    );
    expect(await refusals(plan, [spare])).toContain('changed after it was signed');
    expect(await refusals(plan, [approval])).toBe('');
  });

  test('what the plan shows to those who approve is what is paid, whatever the planner wrote into it', async () => {
    const forged = await planBy(grace, two, (document) => ({
      ...document,
      rows: 1,
      diff: null,
      totals: { KES: { rows: 1, file: '10.00', paidBefore: '0.00', toSend: '10.00' } },
    }));
    const said = await refusals(forged, [approved(forged, juma)]);
    expect(said).toContain('KES 4,000.50 would be sent now; the plan says KES 10.00.');
    expect(said).toContain('The plan does not show how many rows there are as it is.');
    expect(said).toContain('The plan does not show what the file adds up to.');
    const elsewhere = await planBy(grace, two, (document) => ({
      ...document,
      environment: 'https://other.example somebody',
      fileDigest: '0'.repeat(64),
      policy: { ...document.policy, onMismatch: 'pay' },
    }));
    const moved = await refusals(elsewhere, [approved(elsewhere, juma)]);
    expect(moved).toContain('not by https://other.example somebody.');
    expect(moved).toContain('The file was changed since.');
    expect(moved).toContain('Which rows are paid or held is set otherwise');
    const unasked = await planBy(grace, two, (document) => ({ ...document, names: null }));
    expect(await refusals(unasked, [approved(unasked, juma)])).toContain('without asking for names');
  });

  test('nor may it call a service, findings and names what they are not', async () => {
    // Two names on one number are odd, and one name is another's.
    written(mary, 'E2,Peter Mutua,KE,KES,2500.50,+254712099013', 'E3,Asha Ali,KE,KES,10.00,+254700000001');
    const pays = { ...two, onMismatch: 'pay' } as const;
    const said = async (forge: (document: PlanDocument) => PlanDocument) => {
      const plan = await planBy(grace, pays, forge);
      return refusals(plan, [approved(plan, juma)], pays);
    };
    const called = await said((document) => ({ ...document, mode: 'LIVE' }));
    expect(called).toContain('The plan does not show whether it is real money as it is.');
    const odd = 'The plan does not show what is odd about the file as it is.';
    expect(
      await said((document) => {
        const first = document.problems.first.map((problem) => ({ ...problem, message: 'All is well.' }));
        return { ...document, problems: { ...document.problems, first } };
      }),
    ).toContain(odd);
    expect(
      await said((document) => ({ ...document, problems: { ...document.problems, warnings: 1 } })),
    ).toContain(odd);
    expect(
      await said(({ names, ...document }) => {
        const first = (names?.first ?? []).map((name) => ({ ...name, resolved: 'PETER MUTUA' }));
        return { ...document, names: names && { ...names, first } };
      }),
    ).toContain('Other names are paid though they do not match than the plan shows.');
    expect(await said((document) => document)).toBe('');
  });

  test('a configuration that reads the same file otherwise is noticed', async () => {
    const plan = await planBy(grace);
    const others = { ...two, defaults: { operator: 'AIRTEL' } };
    expect(await refusals(plan, [approved(plan, juma)], others)).toContain(
      'the rows of the file are read otherwise now',
    );
  });

  test('whoever approves is told what the comparison leaves out, and what was let through', async () => {
    const plan = await planBy(grace);
    expect(await refusals(plan, [approved(plan, juma)])).toBe('');
    file = join(folder, 'december.csv');
    writeFileSync(file, `${[header, mary.replace('1500.00', '9500.00'), peter].join('\n')}\n`);
    const quiet = { ...two, notice: 1000, repeatWindow: '1h' };
    const { document } = planFileOf(await planBy(grace, quiet));
    const report = planFileReport({ document });
    expect(report).toContain(
      'Compared with batch november: the same people and accounts; no amount changed by more than 1000%.',
    );
    expect(report).toContain('  a payment is called repeated for 60 minutes only');
    // By the list, whatever the planner calls himself.
    expect(report).toContain('planned by   Grace on ');
  });

  test('an approval is of no use once the batch has taken in another file', async () => {
    const first = await planBy(grace);
    expect(await refusals(first, [approved(first, juma)])).toBe('');
    written(mary, peter, 'E3,Asha Ali,KE,KES,10.00,+254712000003');
    const second = await planBy(grace);
    expect(await refusals(second, [approved(first, juma)])).toContain('it is for another plan');
    expect(await refusals(second, [approved(second, juma)])).toBe('');
    written(mary, peter);
    expect(await refusals(first, [approved(first, juma)])).toContain(
      'Another file was accepted into the batch',
    );
  });
});

describe('the list of those who approve', () => {
  test('is loosened only by those who stood in it: fewer, others, none', async () => {
    const plan = await planBy(grace);
    expect(await refusals(plan, [approved(plan, juma)])).toBe('');
    written(mary, peter, 'E3,Asha Ali,KE,KES,10.00,+254712000003');
    const others = { approvals: 1, approvers: [grace.line, stranger.line] };
    expect(await refusals(undefined, [], {})).toContain('asked for 1 and asks for none now');
    expect(await refusals(undefined, [], others)).toContain(`the key ${stranger.key} (Eve) was not listed`);
    const theirs = await planBy(stranger, others);
    expect(await refusals(theirs, [approved(theirs, grace)], others)).toContain(
      'Who has to approve was loosened',
    );
    // A plan that was made before the change does not show it to anybody.
    const before = await planBy(grace);
    expect(await refusals(before, [approved(before, juma)], others)).toContain('is not what the plan says');
    const shown = await planBy(grace, others);
    expect(await refusals(shown, [approved(shown, juma)], others)).toBe('');
    expect((await events()).filter(({ to }) => to === 'approval-policy')).toHaveLength(2);
    // From now on the new list counts, and the old one does not.
    written(mary, peter, 'E4,Ann Kamau,KE,KES,20.00,+254712000004');
    const later = await planBy(grace, others);
    expect(await refusals(later, [approved(later, juma)], others)).toContain('is not listed');
    expect(await refusals(later, [approved(later, stranger)], others)).toBe('');
  });

  test('may be made stricter by anybody, and that counts from then on', async () => {
    const plan = await planBy(grace);
    expect(await refusals(plan, [approved(plan, juma)])).toBe('');
    written(mary, peter, 'E3,Asha Ali,KE,KES,10.00,+254712000003');
    const strict = { ...two, approvals: 2 };
    const second = await planBy(grace, strict);
    expect(await refusals(second, [approved(second, juma)], strict)).toContain(
      '1 of 2 needed approvals count.',
    );
    expect(await refusals(second, [approved(second, juma), approved(second, amina)], strict)).toBe('');
    expect(await refusals(undefined, [], two)).toContain('asked for 2 and asks for 1 now');
  });

  test('that was lost before its first use is missed by a plan that was made with it', async () => {
    const plan = await planBy(grace);
    expect(await refusals(plan, [], {})).toContain('the configuration asks for no approvals');
  });
});

describe('one person alone', () => {
  test('brings nothing back, and releases close names but no mismatch; a resume of what was approved goes on', async () => {
    // Endings of numbers: one name is close, one is another's, one payout fails.
    written(
      'E1,Mary Wanjiku,KE,KES,1500.00,+254712099012',
      'E2,Peter Mutua,KE,KES,2500.50,+254712099013',
      'E3,Asha Ali,KE,KES,10.00,+254712099001',
    );
    const plan = await planBy(grace);
    expect(await refusals(plan, [approved(plan, juma)])).toBe('');
    // Also where the configuration has lost the list: the journal has not.
    for (const config of [two, {}]) {
      await office(config, async (payrun) => {
        const refused = { code: 'approvals', exit: 6 };
        const reason = 'I say so';
        await expect(payrun.retry('november', { reason })).rejects.toMatchObject(refused);
        await expect(payrun.release('november', { reason })).rejects.toMatchObject(refused);
        await expect(payrun.release('november', { reason, payments: ['E2'] })).rejects.toMatchObject(refused);
        expect((await payrun.status('november')).statuses).toMatchObject({ held: 2, failed: 1 });
      });
    }
    await office(two, async (payrun) => {
      expect(await payrun.release('november', { reason: 'x', scope: 'close' })).toMatchObject({ moved: 1 });
      expect((await payrun.resume('november')).statuses).toMatchObject({ paid: 1, held: 1, failed: 1 });
    });
  });
});

/** Another letter for the same bits that matter. */
function next(letter: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return letters[letters.indexOf(letter) + 1] ?? 'A';
}
