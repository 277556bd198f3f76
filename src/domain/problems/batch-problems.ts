export interface BatchProblemKind {
  readonly blocking: boolean;
  /** `file`: nothing of the file can be paid, not even with `--skip-invalid`. `row`: the rows it names. */
  readonly scope: 'file' | 'row';
  readonly meaning: string;
}

/** What can be wrong with rows beside each other, or with the batch. Codes are stable; the docs list this table. */
export const batchProblems = {
  'batch-mixed': fileProblem('The file holds rows of more than one batch.'),
  'batch-invalid': fileProblem('The batch named in the file is not a possible name.'),
  'identity-broken': blocking('payrun_key and payrun_reference of the row do not belong together.'),
  'attempt-too-high': blocking(
    'The row names an attempt that is too high. The journal does not know its batch.',
  ),
  'payment-id-ignored': warning(
    'The paymentId was changed in a file of ours; payrun_key still says which payment it is.',
  ),
  'duplicate-payment-id': blocking('Two or more rows have one paymentId.'),
  'duplicate-payee': blocking('Two or more rows pay one payee, and no paymentId column tells them apart.'),
  'shared-account': blocking('One number stands under three names or more.'),
  'placeholder-number': blocking('A number that ends in five zeros stands on several rows.'),
  'same-payee-amount': warning('The same payee gets the same amount under two ids.'),
  'account-two-names': warning('One account stands under two names.'),
  'name-two-accounts': warning('One name has two accounts.'),
  'key-kind-changed': fileProblem('The batch was begun with another kind of key.'),
  'row-conflict': blocking('The row was changed after its payout was or may have been sent.'),
  'row-renamed': warning(
    'Name, narration, operator, branch or the way of writing the bank were changed after the payout was sent; nothing else changes.',
  ),
  'row-still-invalid': blocking('The row came back in a file of ours without a correction.'),
  'payee-cell-in-doubt': blocking(
    'In a file of ours, a spreadsheet or a person changed a cell that says who is paid. Put the right value in quotation marks.',
  ),
  'read-otherwise': blocking(
    'In a file of ours, an unchanged cell would now mean something else than in the file of the batch.',
  ),
  'row-cancelled': warning('The payout was cancelled earlier and stays cancelled.'),
} as const satisfies Record<string, BatchProblemKind>;

export type BatchProblemCode = keyof typeof batchProblems;

function fileProblem(meaning: string): BatchProblemKind {
  return { blocking: true, scope: 'file', meaning };
}

function blocking(meaning: string): BatchProblemKind {
  return { blocking: true, scope: 'row', meaning };
}

function warning(meaning: string): BatchProblemKind {
  return { blocking: false, scope: 'row', meaning };
}
