import { fileProblem, type ProblemKind, rowProblem, warning } from './problem-kind.ts';

/** What can go wrong while a file is read. The codes are stable: scripts search for them, and the docs list this table. */
export const readingProblems = {
  'file-empty': fileProblem('The file holds nothing, or nothing but blanks.'),
  'file-spreadsheet': fileProblem(
    'The file is a spreadsheet (Excel, OpenDocument, Numbers), not a CSV file.',
  ),
  'file-pdf': fileProblem('The file is a PDF.'),
  'file-html': fileProblem('The file is a web page or XML, as many exports named .xls are.'),
  'file-json': fileProblem('The file is JSON.'),
  'file-document': fileProblem('The file is a text document (Word, RTF).'),
  'file-compressed': fileProblem('The file is compressed or an archive.'),
  'file-image': fileProblem('The file is a picture.'),
  'file-binary': fileProblem('The file is not text.'),

  'encoding-assumed': warning('The file is not UTF-8 and was read as Windows-1252.'),
  'encoding-mixed': fileProblem('One part of the file is UTF-8 and another is not.'),
  'encoding-invalid': fileProblem('The file holds bytes that are no text in its encoding.'),
  'zero-bytes': fileProblem('Zero bytes stand in the text, as after a failed copy: the file is damaged.'),

  'quote-unclosed': fileProblem(
    'A quote opens a cell and is not closed where it should be: rows were swallowed.',
  ),
  'quote-stray': warning('A quote stands inside a cell that is not quoted; it was read as text.'),
  'record-too-long': fileProblem('A line, or a cell over several lines, is longer than 1 MiB.'),
  'cell-too-large': rowProblem('A cell is longer than 100 KiB.'),
  'too-many-columns': fileProblem('The header has more than 1,000 columns.'),

  'header-missing': fileProblem('No line among the first 30 has the column names.'),
  'header-ambiguous': fileProblem('Two columns could be one field; --map decides.'),
  'header-second': fileProblem(
    'Column names stand again below the table, and others than above: a second table.',
  ),
  'header-unknown': warning('A column name is close to one that payrun knows; --map takes it.'),
  'header-offered': warning('A column might be the field, but is not taken unless --map says so.'),
  'header-empty': warning('A column without a name holds text; it is copied to the results and not used.'),
  'name-columns-both': warning('The file has a full name beside first and last name; the full name is used.'),
  'column-missing': fileProblem('A column that every payout needs is not there.'),
  'payment-id-taken': warning('--map takes the column of the payment id for something else.'),
  'default-unused': warning('--default names a field that the file has a column for.'),
  'payrun-column-misspelt': fileProblem(
    'A column is nearly, but not exactly, one of our own payrun_ columns.',
  ),

  'rows-missing': fileProblem('There is a header, and no row below it.'),
  'row-too-many-cells': rowProblem(
    'The row has more cells than the header, or than other rows: its values may be shifted.',
  ),
  'row-too-few-cells': rowProblem('The row ends before a column that it needs.'),
  'row-unfilled': rowProblem('The row is empty but for such columns as the country and the currency.'),
  'amount-split': rowProblem(
    'The amount and the cell behind it are perhaps one amount that was split at its comma.',
  ),
  'amount-split-perhaps': warning(
    'A short amount has a cell of three digits behind it: perhaps one amount, split at its comma.',
  ),
  'total-mismatch': fileProblem('The total line is not the sum of the amounts.'),
  'count-mismatch': fileProblem('The line that counts the rows gives another number.'),
  'total-inside': rowProblem('A line that looks like a total has rows below it.'),
} as const satisfies Record<string, ProblemKind>;

export type ReadingProblemCode = keyof typeof readingProblems;

/** What is no CSV file. */
export const otherFormats: ReadonlySet<string> = new Set<keyof typeof readingProblems>([
  'file-spreadsheet',
  'file-pdf',
  'file-html',
  'file-json',
  'file-document',
  'file-compressed',
  'file-image',
  'file-binary',
]);
