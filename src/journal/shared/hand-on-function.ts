import { type MirroredTable, mirroredTables } from './mirrored-tables.ts';
import { sharedMigrations } from './shared-migrations.ts';

/** Of this version: an older payrun calls what is not there any more, however it came to have the journal open. */
export const tellAll = `tell_all_${sharedMigrations.length}`;
export const writeRows = `write_rows_${sharedMigrations.length}`;

/** So many commits are told one by one to a copy that has fallen behind; then it is filled anew. */
const commitsInFeed = 20_000;
/** Of so many it is known that they were this journal's: who is further behind cannot tell whether it went back meanwhile. */
const marksInFeed = 5_000_000;
/** They are let go by as many at a time. */
const letGoEvery = 500;

/** Written once: an event is never changed. */
const isWrittenOnce: ReadonlySet<string> = new Set(['events']);

/** Of a table that has just begun to grow Postgres would rather read every row, and go on doing so as it grows. */
const byKeys = 'SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off';

/**
 * What a copy hands on is written by functions of the shared journal, one call for all tables: one round trip, and one
 * place that says what may change at all.
 */
export function handOnFunctions(typesOf: (table: string) => ReadonlyMap<string, string>): string {
  const steps = mirroredTables.map((table) => stepsOf(table, typesOf(table.name)));
  return `
  DO $drop$ DECLARE earlier regprocedure; BEGIN
    FOR earlier IN SELECT pg_proc.oid FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
      WHERE nspname = current_schema() AND proname ~ '^(tell_all|write_rows)'
    LOOP EXECUTE 'DROP FUNCTION ' || earlier; END LOOP;
  END $drop$;

  CREATE FUNCTION ${writeRows}(given text) RETURNS void LANGUAGE plpgsql ${byKeys} AS $put$
  DECLARE changes jsonb := given::jsonb; moved bigint;
  BEGIN${steps.join('')}
  END $put$;

  CREATE FUNCTION ${tellAll}(changes text) RETURNS bigint LANGUAGE plpgsql AS $hand$
  DECLARE n bigint; own text := gen_random_uuid();
  BEGIN
    IF changes IS NOT NULL THEN PERFORM ${writeRows}(changes); END IF;
    UPDATE journal SET moved = moved + 1, mark = own RETURNING moved INTO n;
    INSERT INTO feed (moved, changes, mark) VALUES (n, ${tellAll}.changes, own);
    IF n % ${letGoEvery} = 0 THEN
      UPDATE feed SET changes = NULL
        WHERE feed.moved <= n - ${commitsInFeed} AND feed.moved > n - ${commitsInFeed + 2 * letGoEvery} AND feed.changes IS NOT NULL;
      DELETE FROM feed WHERE feed.moved <= n - ${marksInFeed};
    END IF;
    RETURN n;
  END $hand$;`;
}

function stepsOf(table: MirroredTable, types: ReadonlyMap<string, string>): string {
  const { name, key, mayLose } = table;
  const columns = [...types.keys()];
  const place = `changes -> '${name}'`;
  const others = columns.filter((column) => !key.includes(column));
  const cells = columns.map((column, at) => cellAt('own', at, types.get(column)));
  const isGone = key.map((column, at) => `own.${column} = ${cellAt('gone', at, types.get(column))}`);
  const onConflict = isWrittenOnce.has(name)
    ? ''
    : others.length === 0
      ? ' ON CONFLICT DO NOTHING'
      : ` ON CONFLICT (${key.join()}) DO UPDATE SET ${others.map((column) => `${column} = excluded.${column}`).join()}`;
  const drop = mayLose
    ? `DELETE FROM ${name} AS own USING jsonb_array_elements(${place} -> 'drop') AS gone WHERE ${isGone.join(' AND ')};`
    : `IF jsonb_array_length(${place} -> 'drop') > 0 THEN RAISE EXCEPTION 'nothing is ever taken from ${name}'; END IF;`;
  return `
    IF changes ? '${name}' THEN
      ${drop}
      INSERT INTO ${name} (${columns.join()}) SELECT ${cells.join()}
        FROM jsonb_array_elements(${place} -> 'put') AS own${onConflict};${moveOf(table, types)}
    END IF;`;
}

/** What stands at a place of a row. */
function cellAt(row: string, at: number, type: string | undefined): string {
  const text = `${row} ->> ${at}`;
  return type === 'INTEGER' ? `(${text})::bigint` : `(${text})`;
}

/** Steps of rows that are there: all of them have to be. */
function moveOf({ name, key, moving = [] }: MirroredTable, types: ReadonlyMap<string, string>): string {
  if (moving.length === 0) return '';
  const place = `changes -> '${name}' -> 'move'`;
  const cell = (column: string, at: number) => cellAt('step', at, types.get(column));
  const sets = moving.map((column, at) => `${column} = ${cell(column, at)}`);
  const isThis = key.map((column, at) => `own.${column} = ${cell(column, moving.length + at)}`);
  return `
      IF jsonb_array_length(${place}) > 0 THEN
        UPDATE ${name} AS own SET ${sets.join()} FROM jsonb_array_elements(${place}) AS step WHERE ${isThis.join(' AND ')};
        GET DIAGNOSTICS moved = ROW_COUNT;
        IF moved <> jsonb_array_length(${place}) THEN RAISE EXCEPTION 'a row of ${name} that is to move is not there'; END IF;
      END IF;`;
}
