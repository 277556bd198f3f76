import { chooseCommand } from './commands/choose-command.ts';
import { failWith } from './terminal/fail-with.ts';

export async function runCommand(words: readonly string[]): Promise<void> {
  try {
    await (await chooseCommand(words))?.run();
  } catch (error) {
    process.exitCode = failWith(error, {
      json: words.includes('--json'),
      jsonLines: words.includes('--json-lines'),
    });
  }
}
