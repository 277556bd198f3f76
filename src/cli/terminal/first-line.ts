import { jsonText } from '../../report/terminal-text.ts';
import type { EnvironmentWord } from '../setup/service-of.ts';
import { styledText } from './styled-text.ts';

/** Which service it is: a line that stands before everything else, however the command goes on. */
export function firstLine(
  word: EnvironmentWord,
  { quiet, 'json-lines': asJson }: { readonly quiet: boolean; readonly 'json-lines': boolean },
) {
  let isSaid = quiet;
  return {
    say(): void {
      if (isSaid) return;
      isSaid = true;
      const { stderr } = process;
      stderr.write(
        asJson ? `${jsonText({ kind: 'begins', environment: word })}\n` : styledText(`${word}\n`, stderr),
      );
    },
    /** Something else shows it, and it is said once. */
    leaveOut(): void {
      isSaid = true;
    },
  };
}
