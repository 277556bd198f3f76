import { grouped } from './grouped.ts';

/** `1 row`, `2 rows`, `1,000 rows`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
