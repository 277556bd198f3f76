/** A row as Postgres gives it; whole numbers as numbers. */
export type Row = Readonly<Record<string, unknown>>;

/** All that the shared journal needs of a database: statements as text, one after the other, on one session. */
export interface SharedConnection {
  /** The rows of each of the statements. */
  ask(statements: string): Promise<readonly (readonly Row[])[]>;
  /** Whether nobody can be asked any more. */
  isLost(): boolean;
  close(): Promise<void>;
}

/** Any text, as it stands in a statement. */
export function literal(text: string): string {
  const doubled = text.replaceAll("'", "''");
  return text.includes('\\') ? `E'${doubled.replaceAll('\\', '\\\\')}'` : `'${doubled}'`;
}

/** Changes as they are handed on. Postgres keeps no zero character in a text; nothing that payrun writes needs one. */
export function changesLiteral(changes: string): string {
  return literal(changes.replace(/(^|[^\\])((?:\\\\)*)\\u0000/g, '$1$2\\ufffd'));
}

/** A name of a schema or a role, as it stands in a statement. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
