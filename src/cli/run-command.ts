import { chooseCommand } from './commands/choose-command.ts';
import { failWith } from './terminal/fail-with.ts';
import { noticesAsJson } from './terminal/say-notice.ts';

export async function runCommand(words: readonly string[]): Promise<void> {
  const as = { json: isSet(words, '--json'), jsonLines: isSet(words, '--json-lines') };
  noticesAsJson(as.jsonLines);
  try {
    await (await chooseCommand(words))?.run();
  } catch (error) {
    process.exitCode = failWith(error, as);
  }
}

/** Asked of the bare words: what is wrong with them must be said in that form too. */
function isSet(words: readonly string[], flag: string): boolean {
  return words.includes(flag) || words.includes(`${flag}=true`);
}
