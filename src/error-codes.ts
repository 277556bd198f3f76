import { type ExitCode, exitCode } from './exit-codes.ts';

interface ErrorKind {
  readonly means: string;
  readonly todo: string;
}

/**
 * What stops a whole command, by its code, and the exit code that it stops with. Codes are stable: scripts read them from
 * --json. The docs list this table.
 */
export const errorCodes = {
  ...stoppingWith(exitCode.unexpected, {
    unexpected: {
      means: 'A bug in payrun, or something unexpected.',
      todo: 'Run the same command again; report it with the stack.',
    },
  }),
  ...stoppingWith(exitCode.usage, {
    usage: {
      means: 'The command line is not understood.',
      todo: 'As the sentence says, or payrun COMMAND --help.',
    },
    'bad-amount': { means: 'A flag takes a currency and an amount.', todo: 'Write it as KES=125000.00.' },
    'bad-duration': { means: 'A flag takes a duration.', todo: 'Write it as 500ms, 30s, 10m, 24h or 5d.' },
    'bad-number': { means: 'A flag takes a whole number.', todo: 'As the sentence says.' },
    'bad-port': { means: 'A port is a whole number from 0 to 65535.', todo: 'Choose another port.' },
    'bad-rate': { means: '--rate is a number of calls a second above 0.', todo: 'Give such a number.' },
    'batch-name': { means: 'The name of the batch is not valid.', todo: 'Name it with --batch.' },
    'batch-unknown': { means: 'The journal has no batch of this name.', todo: 'payrun status lists them.' },
    'payment-not-found': {
      means: 'No payout of the batch, or more than one, has this id.',
      todo: 'Take payrun_key or payrun_reference from the results.',
    },
    'names-unknown': {
      means: 'No pair of names with this id is remembered.',
      todo: 'payrun names lists them.',
    },
    'transaction-not-found': { means: 'The service does not show this transaction.', todo: 'Check the id.' },
    'request-invalid': {
      means: 'The service would not take a call by hand as it stands. Nothing was sent.',
      todo: 'As the sentence says, or payrun service … --help.',
    },
    'fault-unknown': { means: 'The sandbox knows no such fault.', todo: 'docs/sandbox.md lists them.' },
  }),
  ...stoppingWith(exitCode.fileInvalid, {
    'file-invalid': {
      means: 'The file has blocking problems.',
      todo: 'Correct them; payrun validate lists them.',
    },
    'not-results': {
      means: 'The file is not a results file of payrun.',
      todo: 'Name the results file of the batch.',
    },
    'not-a-plan': {
      means: 'The file is not a plan that payrun wrote, or it was changed since.',
      todo: 'Write it again: payrun plan FILE --out PLAN.json.',
    },
  }),
  ...stoppingWith(exitCode.fileMissing, {
    'file-missing': { means: 'The file is not there, or is a folder.', todo: 'Check the path.' },
  }),
  ...stoppingWith(exitCode.configuration, {
    'ca-file-invalid': {
      means: 'The certificates of a private authority (PAYRUN_CA_FILE) cannot be used.',
      todo: 'Name a PEM file of your own that holds them.',
    },
    'config-invalid': {
      means: 'The configuration cannot be used.',
      todo: 'Correct it as the sentence says.',
    },
    'credentials-missing': {
      means: 'The address or the credentials of the service are not set.',
      todo: 'Set what is named. The sandbox is only ever used with --sandbox.',
    },
    'invalid-key': {
      means: 'A key contains characters that no key has.',
      todo: 'Check the setting or the key file.',
    },
    'invalid-url': { means: 'The address of the service is not valid.', todo: 'Correct PAYRUN_BASE_URL.' },
    'insecure-url': { means: 'http:// is allowed only for this machine.', todo: 'Use https://.' },
    'invalid-prefix': {
      means: 'The path prefix of the service is not valid.',
      todo: 'Correct PAYRUN_API_PREFIX.',
    },
    'key-not-usable': {
      means: 'A private key or its passphrase cannot be used.',
      todo: 'As the sentence says; payrun keys new makes a key.',
    },
    'workspace-missing': {
      means: 'There is no workspace, so nothing is known of earlier payments.',
      todo: 'payrun init the first time; otherwise name the right one with --workspace.',
    },
    'workspace-on-network': {
      means: 'The workspace is on a network file system, where locks do not hold.',
      todo: 'Use a folder on a disk of this machine.',
    },
    'no-journal': { means: 'The workspace has no journal yet.', todo: 'Name the right workspace.' },
    'journal-newer': { means: 'A newer payrun made the journal.', todo: 'Use that version.' },
    'journal-unreadable': {
      means: 'The journal is damaged.',
      todo: 'Restore it from a backup. Pay nothing by hand before you know what was paid.',
    },
    'journal-moved': {
      means: 'The journal of the workspace stands in Postgres, and this is not it.',
      todo: 'Set PAYRUN_JOURNAL_URL to where it stands, then run the same command again.',
    },
    'journal-not-moved': {
      means:
        'The workspace has a journal of its own beside the shared one that is named, or a move there is not finished or not possible.',
      todo: 'As the sentence says: payrun journal move, or another workspace or schema.',
    },
    'journal-not-shared': {
      means: 'Workers were asked for, and the journal or the service is of one process alone.',
      todo: 'Set PAYRUN_JOURNAL_URL and name a service; or run it without workers.',
    },
    'journal-url-invalid': {
      means: 'PAYRUN_JOURNAL_URL cannot be used.',
      todo: 'Write it as postgres://user@host:5432/database.',
    },
    'journal-driver-missing': {
      means: 'The package pg, which a shared journal needs, is not installed.',
      todo: 'npm install pg beside payrun.',
    },
    'journal-unsafe': {
      means: 'The Postgres of the shared journal may lose what it has confirmed.',
      todo: 'Set fsync, full_page_writes and synchronous_commit to on.',
    },
    'webhook-secret-missing': { means: 'The listener has no secret.', todo: 'Set PAYRUN_WEBHOOK_SECRET.' },
    'no-sandbox-state': {
      means: 'The workspace has no sandbox state.',
      todo: 'Run something with --sandbox first.',
    },
    'sandbox-state-newer': {
      means: 'A newer payrun made the sandbox state.',
      todo: 'Use another --workspace.',
    },
    'sandbox-state-unusable': {
      means: 'The sandbox state is damaged.',
      todo: 'Use another --workspace, or --memory.',
    },
  }),
  ...stoppingWith(exitCode.credentialsRefused, {
    'credentials-refused': {
      means: 'The service does not accept the credentials.',
      todo: 'Check PAYRUN_API_KEY and PAYRUN_PUBLIC_KEY, then run the same command again.',
    },
  }),
  ...stoppingWith(exitCode.serviceUnreachable, {
    'service-unreachable': {
      means: 'The service did not answer, and the command needs it.',
      todo: 'Check address and network, then run the same command again.',
    },
  }),
  ...stoppingWith(exitCode.guardRefused, {
    declined: { means: 'The total, or the call, was not confirmed.', todo: 'Run the command again.' },
    'not-confirmed': {
      means: 'Nobody is at a terminal to confirm the total, or the call.',
      todo: 'Add --yes, and to pay at a live service --confirm-total or --max-total.',
    },
    'plan-moved': {
      means:
        'File, settings or batch are not those of the plan, or another batch accepted some of the same payments meanwhile.',
      todo: 'Look at it again: payrun plan; without --plan, run the command again.',
    },
    environment: {
      means: 'The batch was begun with another account.',
      todo: 'Use the settings it was begun with; payrun rebind if it is the same account.',
    },
    'wrong-environment': {
      means: 'The batch was begun with another account.',
      todo: 'Use the settings it was begun with; payrun rebind if it is the same account.',
    },
    'rebind-unproven': {
      means: 'The account does not show all that was sent of the batch. Nothing was changed.',
      todo: 'Use the settings the batch was begun with.',
    },
    'old-batch': {
      means: 'The batch was paid longer ago than the repeat window.',
      todo: 'A new period: --batch NAME. The same period: --same-batch.',
    },
    attempts: {
      means:
        'The file names a later attempt of a payment. This journal does not know the payment, and the service does not show that every earlier attempt failed.',
      todo: 'Use the workspace of the file, or restore its journal. Otherwise empty the payrun_ cells of the rows.',
    },
    repeats: {
      means: 'Payments repeat ones that were planned or sent a short while ago.',
      todo: 'Take them out. If they are meant: --allow-repeats N.',
    },
    funds: { means: 'A wallet does not hold enough.', todo: 'Fill the wallet, or pay fewer rows.' },
    limit: {
      means: 'A total is not confirmed, or above what was confirmed.',
      todo: 'Check the total, then allow it with --confirm-total or --max-total.',
    },
    approvals: {
      means: 'The plan is not approved by enough people, or one person alone cannot decide this.',
      todo: 'payrun plan --key, then payrun approve by others, then payrun run --plan: docs/approvals.md.',
    },
    refused: { means: 'A guard refused before anything was sent.', todo: 'As the sentence says.' },
  }),
  ...stoppingWith(exitCode.someNotPaid, {
    'service-refused': {
      means: 'The service refused a call by hand. Nothing was done.',
      todo: 'As the service says.',
    },
  }),
  ...stoppingWith(exitCode.somePending, {
    'service-unclear': {
      means: 'A call by hand got no clear answer: it may have been done.',
      todo: 'Look with the command that is named before doing it again.',
    },
  }),
  ...stoppingWith(exitCode.stoppedEarly, {
    'journal-damaged': {
      means: 'A payout in the journal is not what was accepted. It was not sent.',
      todo: 'payrun audit shows where.',
    },
    'service-down': {
      means: 'Many calls in a row failed; payrun stopped early.',
      todo: 'Run the same command again once the service answers.',
    },
    'refused-in-a-row': {
      means: 'The service refused payout after payout with one error code.',
      todo: 'Fix what it names, such as the wallet, then run the same command again.',
    },
    'service-keeps-answering': {
      means: 'The service answered one payout, or one after the other, with 429 or 401 and paid nothing.',
      todo: 'Wait until the service takes payouts again, then run the same command again.',
    },
    'sends-too-late': {
      means: 'Many sends in a row did not leave within 5 s of their intent; nothing of them left.',
      todo: 'Look at the disk, the connection and the load of the machine, then run the same command again.',
    },
    'stopped-first': {
      means:
        'It was stopped before the file was accepted, or before a resume knew the account. This run sent nothing.',
      todo: 'Run the same command again.',
    },
    'not-all-sent': {
      means: 'The service did not answer what comes before sending, or it was too late to send.',
      todo: 'Run the same command again.',
    },
  }),
  ...stoppingWith(exitCode.locked, {
    'journal-busy': {
      means: 'Another payrun holds the journal and does not go on; nothing was sent.',
      todo: 'End it or wait for it, then run the same command again.',
    },
    'handle-busy': {
      means: 'Only as a library: another run, plan or report of the same handle is under way.',
      todo: 'Wait for it, or open another handle with openPayrun.',
    },
    'handle-closed': {
      means: 'Only as a library: the handle was closed.',
      todo: 'Open another with openPayrun.',
    },
    'batch-locked': {
      means: 'Another payrun works on the batch.',
      todo: 'Wait for it, or stop it with Ctrl-C.',
    },
  }),
  ...stoppingWith(exitCode.cannotCreate, {
    'cannot-write': { means: 'A file that a flag asks for cannot be written.', todo: 'Choose another path.' },
    'workspace-not-writable': {
      means: 'The workspace cannot be used.',
      todo: 'Name another with --workspace.',
    },
    'journal-not-writable': {
      means: 'The journal cannot be written; nothing was sent.',
      todo: 'Make room or fix the disk, then run the same command again.',
    },
    'journal-unreachable': {
      means: 'The shared journal cannot be reached or used; nothing was sent.',
      todo: 'See that Postgres is there, then run the same command again.',
    },
    'lock-not-writable': { means: 'The lock of the batch cannot be used.', todo: 'Check the workspace.' },
    'log-not-writable': { means: 'The log cannot be written.', todo: 'Check the workspace.' },
    'results-not-writable': {
      means: 'The results cannot be written; nothing was sent.',
      todo: 'Fix the folder, or name another place with --results.',
    },
    'cannot-listen': { means: 'payrun cannot listen on this port.', todo: 'Choose another port.' },
  }),
  ...stoppingWith(exitCode.writeFailed, {
    'journal-write-failed': {
      means: 'The journal could not be written in mid-run; payrun stopped at once.',
      todo: 'Make room or fix the disk, then run the same command again.',
    },
    'output-not-written': {
      means: 'Standard output could not be written.',
      todo: 'Make room where it goes; payrun status and payrun results print it again.',
    },
    'results-write-failed': {
      means: 'The results could not be written at the end. The journal knows what was paid.',
      todo: 'Fix the folder, then payrun results BATCH.',
    },
    'report-write-failed': {
      means:
        'The report of a batch could not be written, or a file that is not its report stands in its place.',
      todo: 'Fix the folder or move the file away, then payrun report BATCH.',
    },
    'retry-write-failed': {
      means: 'The retry file could not be written.',
      todo: 'Remove the retry files that were dealt with.',
    },
  }),
};

export type ErrorCode = keyof typeof errorCodes;

function stoppingWith<Code extends string>(exit: ExitCode, kinds: Readonly<Record<Code, ErrorKind>>) {
  const entries = Object.entries<ErrorKind>(kinds).map(([code, kind]) => [code, { ...kind, exit }]);
  return Object.fromEntries(entries) as Readonly<Record<Code, ErrorKind & { readonly exit: ExitCode }>>;
}
