/** With Node from 24.19 on, better-sqlite3 12 ends the process in mid-run. `engines` in package.json says the same to npm. */
export const supportedNode = { from: [20, 19], before: [24, 19] } as const;

/** Why payrun does not even begin with this version of Node; undefined where it works. */
export function refusedNode(version: string): string | undefined {
  const { from, before } = supportedNode;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isBelow = (other: readonly [number, number]) =>
    major < other[0] || (major === other[0] && minor < other[1]);
  if (!isBelow(from) && isBelow(before)) return undefined;
  return `payrun: this is Node ${version}, and payrun works with Node ${from.join('.')} to ${before[0]}.${before[1] - 1}: install one of these and run the same command again.`;
}
