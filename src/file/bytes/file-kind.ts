import type { ReadingProblemCode } from '../../domain/problems/reading-problems.ts';

/** A file that is no CSV, whatever its name says. */
export interface FileKind {
  readonly code: ReadingProblemCode;
  readonly message: string;
}

/** Recognises by its first bytes what cannot be text. */
export function recogniseFileKind(prefix: Buffer): FileKind | undefined {
  if (startsWith(prefix, [0x50, 0x4b, 0x03, 0x04])) return kindOfZip(prefix);
  return signatures.find(({ bytes }) => startsWith(prefix, bytes))?.kind;
}

/** Recognises text that is not a table of cells: web pages, JSON, documents. */
export function recogniseTextKind(text: string): FileKind | undefined {
  const beginning = text.slice(0, 4096).trimStart();
  if (beginning === '' && text.trim() === '') return empty;
  if (/^\{\\rtf/i.test(beginning)) return document;
  if (/^<(?:!doctype|!--|\?xml|(?:html|head|body|table|meta|style|div|(?:\w+:)?workbook)\b)/i.test(beginning))
    return html;
  if (/^(?:\[\s*[{["\]]|\{\s*["}])/.test(beginning)) return json;
  return undefined;
}

const saveAsCsv =
  'open it in your spreadsheet program, choose "File > Save As" (or "Download"), pick "CSV UTF-8 (Comma delimited)", and give payrun the saved file';

const empty: FileKind = {
  code: 'file-empty',
  message: 'The file is empty. Export it again, and check whether the export had finished.',
};
const spreadsheet: FileKind = {
  code: 'file-spreadsheet',
  message: `This is a spreadsheet (Excel, OpenDocument or Numbers), not a CSV file, whatever its name ends in: ${saveAsCsv}.`,
};
const oldOffice: FileKind = {
  code: 'file-spreadsheet',
  message: `This is an Excel 97-2003 workbook (.xls) or another old Office file, not a CSV file: ${saveAsCsv}.`,
};
const html: FileKind = {
  code: 'file-html',
  message: `This is a web page or XML, not a CSV file. Many payroll systems export such a page under the name .xls: ${saveAsCsv}.`,
};
const json: FileKind = {
  code: 'file-json',
  message: 'This is JSON, not a CSV file. Choose CSV as the export format in the system that made it.',
};
const document: FileKind = {
  code: 'file-document',
  message:
    'This is a text document, not a CSV file. Copy its table into a spreadsheet, save that as "CSV UTF-8 (Comma delimited)", and give payrun the saved file.',
};
const pdf: FileKind = {
  code: 'file-pdf',
  message:
    'This is a PDF, not a CSV file. A PDF cannot be paid from: export the payroll again from the system that made it, as CSV.',
};
const compressed: FileKind = {
  code: 'file-compressed',
  message: 'This is a compressed file or an archive. Unpack it and give payrun the CSV file inside.',
};
const image: FileKind = {
  code: 'file-image',
  message: 'This is a picture, not a CSV file. Export the payroll from the system that made it, as CSV.',
};

/** For bytes that are neither text nor anything we have a name for. */
export const binary: FileKind = {
  code: 'file-binary',
  message: `This is not text, so it cannot be a CSV file. If it is a spreadsheet, ${saveAsCsv}.`,
};

const signatures: readonly { readonly bytes: readonly number[]; readonly kind: FileKind }[] = [
  { bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], kind: oldOffice },
  { bytes: [0x09, 0x08, 0x10, 0x00], kind: oldOffice },
  { bytes: [0x25, 0x50, 0x44, 0x46, 0x2d], kind: pdf },
  { bytes: [0xef, 0xbb, 0xbf, 0x25, 0x50, 0x44, 0x46, 0x2d], kind: pdf },
  { bytes: [0x1f, 0x8b], kind: compressed },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], kind: compressed },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], kind: compressed },
  { bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], kind: compressed },
  { bytes: [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07], kind: compressed },
  { bytes: [0x50, 0x4b, 0x05, 0x06], kind: compressed },
  { bytes: [0x89, 0x50, 0x4e, 0x47], kind: image },
  { bytes: [0xff, 0xd8, 0xff], kind: image },
  { bytes: [0x47, 0x49, 0x46, 0x38], kind: image },
];

function kindOfZip(prefix: Buffer): FileKind {
  const names = prefix.toString('latin1');
  if (/word\/|opendocument\.text/.test(names)) return document;
  const isSpreadsheet = /\[Content_Types\]\.xml|xl\/|opendocument\.spreadsheet|Index\/Document\.iwa/.test(
    names,
  );
  return isSpreadsheet ? spreadsheet : compressed;
}

function startsWith(prefix: Buffer, bytes: readonly number[]): boolean {
  return prefix.length >= bytes.length && bytes.every((byte, index) => prefix[index] === byte);
}
