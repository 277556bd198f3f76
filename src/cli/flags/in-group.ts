/** Flags that the help shows together, under their own title. */
export function inGroup<Flags extends Readonly<Record<string, object>>>(
  title: string,
  flags: Flags,
): { readonly [Name in keyof Flags]: Flags[Name] & { readonly group: string } } {
  const grouped = Object.entries(flags).map(([name, flag]) => [name, { ...flag, group: `${title}:` }]);
  return Object.fromEntries(grouped) as { [Name in keyof Flags]: Flags[Name] & { group: string } };
}
