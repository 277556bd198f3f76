import type { CopyKind } from './mirrored-tables.ts';

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

/** Where a shared journal is opened, and how. */
export interface SharedPlace {
  readonly connection: SharedConnection;
  /** Of Postgres: each kind of environment has its own. */
  readonly schema: string;
  /** Makes what is not there yet. */
  readonly mayMake: boolean;
  /** What is copied of it; all of it where nothing is said. */
  readonly copy?: CopyKind | undefined;
  /** For whoever moves a journal here, and looks at what has arrived. */
  readonly isArriving?: boolean | undefined;
  /** So long after a batch was taken a send of whoever held it before may still leave. */
  readonly graceMs?: number | undefined;
}

/** Any text, as it stands in a statement. */
export function literal(text: string): string {
  const doubled = text.replaceAll("'", "''");
  return text.includes('\\') ? `E'${doubled.replaceAll('\\', '\\\\')}'` : `'${doubled}'`;
}

/** Changes as they are handed on. Postgres keeps no zero character in a text; nothing that payrun writes needs one. */
export function changesLiteral(changes: string): string {
  return literal(changes.replace(/(?<!\\)((?:\\\\)*)\\u0000/g, '$1\\ufffd'));
}

/** A name of a schema or a role, as it stands in a statement. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
