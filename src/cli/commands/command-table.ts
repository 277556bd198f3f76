interface CommandEntry {
  readonly says: string;
  readonly load: () => Promise<unknown>;
}

/** By their usage, in the order of the help. A command is loaded when it is called: to list them, none of them is. */
export const commandTable: Readonly<Record<string, CommandEntry>> = {
  init: {
    says: 'Make the workspace: the folder that remembers what was paid',
    load: async () => (await import('./init.ts')).initCommand,
  },
  template: {
    says: 'Print an empty payout file',
    load: async () => (await import('./template.ts')).templateCommand,
  },
  'validate <file>': {
    says: 'Check a file and list every problem. No network, no workspace',
    load: async () => (await import('./validate.ts')).validateCommand,
  },
  'plan <file>': {
    says: 'Show what a run would do. Changes nothing at the service',
    load: async () => (await import('./plan.ts')).planCommand,
  },
  'approve <plan>': {
    says: 'Approve a plan that somebody else has made. Asks no service and no journal',
    load: async () => (await import('./approve.ts')).approveCommand,
  },
  'keys <action>': {
    says: 'payrun keys new makes the key of a person who plans or approves',
    load: async () => (await import('./keys.ts')).keysCommand,
  },
  'run [file]': {
    says: 'Pay a file: every valid row exactly once. After a failure, run it again',
    load: async () => (await import('./run.ts')).runCommand,
  },
  'resume [batch]': {
    says: 'Continue a batch, or all unfinished ones',
    load: async () => (await import('./resume.ts')).resumeCommand,
  },
  'results <batch>': {
    says: 'Write the results of a batch again and print their path',
    load: async () => (await import('./results.ts')).resultsCommand,
  },
  'report <batch>': {
    says: 'Write a page about a batch for people who answer for it, and print its path',
    load: async () => (await import('./report.ts')).reportCommand,
  },
  'status [batch]': {
    says: 'Show the state of a batch, or list all batches. No network',
    load: async () => (await import('./status.ts')).statusCommand,
  },
  'log <batch>': {
    says: 'Show who did what to a batch, or to one payout, when and why. No network',
    load: async () => (await import('./log.ts')).logCommand,
  },
  'retry <batch>': {
    says: 'Bring failed and refused payouts back; with --payment also returned and cancelled ones',
    load: async () => (await import('./retry.ts')).retryCommand,
  },
  'release <batch>': {
    says: 'Let held payouts pass the check that holds them',
    load: async () => (await import('./release.ts')).releaseCommand,
  },
  'cancel <batch>': {
    says: 'Drop payouts that were not sent',
    load: async () => (await import('./cancel.ts')).cancelCommand,
  },
  'decide <batch>': {
    says: 'Record whether an unclear payout was paid',
    load: async () => (await import('./decide.ts')).decideCommand,
  },
  names: {
    says: 'List the pairs of names that people released, or forget some',
    load: async () => (await import('./names.ts')).namesCommand,
  },
  'rebind <batch>': {
    says: 'Bind a batch to its account again after a new e-mail, key or address',
    load: async () => (await import('./rebind.ts')).rebindCommand,
  },
  'audit [batch]': {
    says: 'Check the journal; with --results also a results file, with --service also every payout',
    load: async () => (await import('./audit.ts')).auditCommand,
  },
  'journal <action> [url]': {
    says: 'payrun journal move takes the journal to a Postgres that several machines share',
    load: async () => (await import('./journal.ts')).journalCommand,
  },
  worker: {
    says: 'Work on batches that were left to workers, on any number of machines',
    load: async () => (await import('./worker.ts')).workerCommand,
  },
  listen: {
    says: 'Receive webhooks: each one makes payrun read a payout sooner',
    load: async () => (await import('./listen.ts')).listenCommand,
  },
  service: {
    says: 'Call the service by hand: balance, accounts, transactions, charges, webhooks …',
    load: async () => (await import('./service.ts')).serviceCommand,
  },
  sandbox: {
    says: 'Run the embedded payment service. It needs no account',
    load: async () => (await import('./sandbox.ts')).sandboxCommand,
  },
  'completion [shell]': {
    says: 'Print the script that completes commands and flags in your shell',
    load: async () => (await import('./completion.ts')).completionCommand,
  },
};
