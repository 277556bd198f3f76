/** What yargs writes of kinds and defaults says nothing to a person: that a switch is off, that a list is empty. */
const noise = /\[(?:array|boolean|string|number|default: (?:\[\]|false|0))\]/g;

/** The help as people read it. */
export function helpText(help: string): string {
  return help
    .split('\n')
    .map((line) => [line, line.replaceAll(noise, '').trimEnd()] as const)
    .filter(([line, left]) => left !== '' || line === '')
    .map(([, left]) => left)
    .join('\n');
}
