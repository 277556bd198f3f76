/** Of commands that are called by hand: what to type, and what the exit codes mean. */
export interface CommandHelp {
  readonly examples: readonly (readonly [command: string, says: string])[];
  readonly exits: string;
}

const ofRun =
  'Exit: 0 all paid, 3 some not paid, 4 some on their way or unknown,\n5 stopped early, 6 refused before anything was sent, 65 the file has problems,\n69 no service, 75 another run has the batch, 77 or 78 set-up, 130 interrupted.';
const ofReading = 'Exit: 0 done, 2 no such batch, 78 no journal here.';
const ofDecision = 'Exit: 0 done, 2 usage, 3 some were left as they are, 75 a run has the batch.';

export const commandHelp: Readonly<Record<string, CommandHelp>> = {
  init: {
    examples: [['payrun init', 'once, before the first run against a service']],
    exits: 'Exit: 0 made, or there already; 73 it cannot be made.',
  },
  template: { examples: [['payrun template > payroll.csv', 'then fill it in']], exits: 'Exit: 0.' },
  validate: {
    examples: [
      ['payrun validate payroll.csv', 'every problem of the file, with its line'],
      [
        'payrun validate export.csv --map "Net Pay=amount" --default country=KE',
        'an export with other columns',
      ],
    ],
    exits: 'Exit: 0 all rows can be paid, 65 some cannot, 66 no such file.',
  },
  plan: {
    examples: [['payrun plan payroll.csv', 'what a run would do; nothing is sent']],
    exits: 'Exit: 0 a run would pay, 6 a run would refuse, 65 the file has problems.',
  },
  run: {
    examples: [
      ['payrun run payroll.csv --sandbox', 'try it: no real money moves'],
      ['payrun run payroll.csv', 'shows the plan and has the total typed'],
      ['payrun run payroll.csv --yes --max-total KES=2000000', 'from cron: a limit stands in for the person'],
    ],
    exits: ofRun,
  },
  resume: {
    examples: [
      ['payrun resume', 'all batches that are not finished'],
      ['payrun resume payroll-2026-11', 'one of them'],
    ],
    exits: ofRun,
  },
  worker: {
    examples: [
      ['payrun worker', 'beside others, on this machine or elsewhere'],
      ['payrun worker --rate 50', 'fifty calls a second, of all workers together'],
    ],
    exits:
      'Exit: 0 told to stop, 69 the service does not answer at its start, 73 or 74 Postgres cannot be reached, 77 or 78 set-up.',
  },
  results: {
    examples: [['payrun results payroll-2026-11', 'writes them again, and prints where']],
    exits: 'Exit: 0 written, 2 no such batch, 74 not written, 75 a run has the batch.',
  },
  report: {
    examples: [['payrun report payroll-2026-11', 'a page to read, print and sign; prints where it lies']],
    exits: 'Exit: 0 written, 2 no such batch, 74 not written, 75 a run has the batch.',
  },
  log: {
    examples: [
      ['payrun log payroll-2026-11', 'who did what, when and why'],
      ['payrun log payroll-2026-11 --payment E17', 'one payment from beginning to end'],
    ],
    exits: ofReading,
  },
  names: {
    examples: [
      ['payrun names', 'the pairs of names that people released'],
      ['payrun names --forget ID --reason "no longer with us"', 'it is held again'],
    ],
    exits: ofReading,
  },
  approve: {
    examples: [['payrun approve plan.json --key juma.key', 'shows the plan, has its total typed, signs it']],
    exits: 'Exit: 0 approved, 6 not approved, 65 no plan, 66 no such file, 78 the key cannot be used.',
  },
  keys: {
    examples: [['payrun keys new --out grace.key --name "Grace Wanjiru"', 'prints the line for "approvers"']],
    exits: 'Exit: 0 made, 73 a file stands in its place.',
  },
  rebind: {
    examples: [['payrun rebind payroll-2026-11 --reason "new API key"', 'once all that was sent is found']],
    exits: 'Exit: 0 bound again, 6 the account does not show all that was sent.',
  },
  journal: {
    examples: [
      ['payrun journal move postgres://payrun@db.example/payrun', 'once; from then on it is used there'],
    ],
    exits: 'Exit: 0 moved, 73 no Postgres there, 75 a run has a batch, 78 it is in use, or moved already.',
  },
  listen: {
    examples: [['payrun listen --port 8080', 'webhooks of the service make payrun read sooner']],
    exits: 'Exit: 0 stopped by Ctrl-C, 73 it cannot listen there, 78 no secret.',
  },
  service: {
    examples: [
      ['payrun service balance', 'the wallets'],
      ['payrun service resolve --currency KES --phone +254712345678', 'whose account it is'],
    ],
    exits: 'Exit: 0 done, 3 refused by the service, 4 no clear answer, 6 not confirmed, 69 no service.',
  },
  status: {
    examples: [
      ['payrun status', 'all batches'],
      ['payrun status payroll-2026-11', 'one, with what waits for whom'],
    ],
    exits: 'Exit: as the run that left it so.',
  },
  retry: {
    examples: [['payrun retry payroll-2026-11 --reason "number corrected at the bank"', 'then resume']],
    exits: ofDecision,
  },
  release: {
    examples: [
      ['payrun release payroll-2026-11 --payment E17 --reason "married name, seen her ID"', 'then resume'],
    ],
    exits: ofDecision,
  },
  cancel: {
    examples: [['payrun cancel payroll-2026-11 --payment E17 --reason "left in October"', 'it is not paid']],
    exits: ofDecision,
  },
  decide: {
    examples: [['payrun decide payroll-2026-11 --payment E17 --paid TRANSACTION --reason "seen"', '']],
    exits: ofDecision,
  },
  audit: {
    examples: [
      ['payrun audit', 'the journal by itself'],
      ['payrun audit payroll-2026-11 --service', 'every payout against the service'],
    ],
    exits: 'Exit: 0 nothing found, 3 findings.',
  },
  sandbox: {
    examples: [['payrun sandbox', 'then pay against it in another window']],
    exits: 'Exit: 0 stopped by Ctrl-C, 73 it cannot listen there.',
  },
  completion: { examples: [['payrun completion bash >> ~/.bashrc', 'or zsh']], exits: 'Exit: 0.' },
};
