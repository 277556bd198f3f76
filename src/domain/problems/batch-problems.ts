import { fileProblem, type ProblemKind, rowProblem, warning } from './problem-kind.ts';

/** What can be wrong with rows beside each other, or with the batch. Codes are stable; the docs list this table. */
export const batchProblems = {
  'batch-mixed': fileProblem('The file holds rows of more than one batch.'),
  'batch-invalid': fileProblem('The batch named in the file is not a possible name.'),
  'identity-broken': rowProblem('payrun_key and payrun_reference of the row do not belong together.'),
  'attempt-too-high': rowProblem(
    'The row names an attempt that is too high. The journal does not know its batch.',
  ),
  'payment-id-ignored': warning(
    'The paymentId was changed in a file of ours; payrun_key still says which payment it is.',
  ),
  'duplicate-payment-id': rowProblem('Two or more rows have one paymentId.'),
  'duplicate-payee': rowProblem('Two or more rows pay one payee, and no paymentId column tells them apart.'),
  'shared-account': rowProblem('One number stands under three names or more.'),
  'placeholder-number': rowProblem('A number that ends in five zeros stands on several rows.'),
  'same-payee-amount': warning('The same payee gets the same amount under two ids.'),
  'account-two-names': warning('One account stands under two names.'),
  'name-two-accounts': warning('One name has two accounts.'),
  'key-kind-changed': fileProblem('The batch was begun with another kind of key.'),
  'row-conflict': rowProblem('The row was changed after its payout was or may have been sent.'),
  'row-renamed': warning(
    'Name, narration, operator, branch or the way of writing the bank were changed after the payout was sent; nothing else changes.',
  ),
  'row-still-invalid': rowProblem('The row came back in a file of ours without a correction.'),
  'row-passed-over': warning(
    'In a file of ours, a row that could not be paid and was taken out of the file of the batch since.',
  ),
  'payee-cell-in-doubt': rowProblem(
    'In a file of ours, a spreadsheet or a person changed a cell that says who is paid. Put the right value in quotation marks.',
  ),
  'read-otherwise': rowProblem(
    'In a file of ours, an unchanged cell would now mean something else than in the file of the batch.',
  ),
  'row-cancelled': warning('The payout was cancelled earlier and stays cancelled.'),
} as const satisfies Record<string, ProblemKind>;

export type BatchProblemCode = keyof typeof batchProblems;
