/** Of commands that are called by hand: what to type, and what the exit codes mean. */
export interface CommandHelp {
  readonly examples: readonly (readonly [command: string, says: string])[];
  readonly exits?: string;
}

const ofRun =
  'Exit: 0 all paid, 3 some not paid, 4 some on their way or unknown,\n5 stopped early, 6 refused before anything was sent, 65 the file has problems,\n69 no service, 75 another run has the batch, 77 or 78 set-up, 130 interrupted.';
const ofDecision = 'Exit: 0 done, 2 usage, 3 some were left as they are, 75 a run has the batch.';

export const commandHelp: Readonly<Record<string, CommandHelp>> = {
  init: { examples: [['payrun init', 'once, before the first run against a service']] },
  template: { examples: [['payrun template > payroll.csv', 'then fill it in']] },
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
  results: { examples: [['payrun results payroll-2026-11', 'writes them again, and prints where']] },
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
  sandbox: { examples: [['payrun sandbox', 'then pay against it in another window']] },
  completion: { examples: [['payrun completion bash >> ~/.bashrc', 'or zsh']] },
};
