import { counted } from '../../domain/text/counted.ts';
import type { RebindQuestion } from '../../index.ts';
import { terminalText } from '../../report/terminal-text.ts';
import { askAtTerminal, type Terminal } from './ask-at-terminal.ts';

/** Says what has changed about the account, and has a whole yes typed in. */
export async function confirmRebind(question: RebindQuestion, terminal: Terminal): Promise<boolean> {
  const { batch, changed, found } = question;
  const shown =
    found === 0
      ? 'Nothing of the batch was sent before.'
      : `This account shows ${counted(found, 'payout')} that were sent of the batch, which is all of them.`;
  terminal.output.write(
    terminalText(`Batch ${batch} was begun with other settings: ${changed}. ${shown}\n\n`),
  );
  const typed = await askAtTerminal(
    `If it is the same account, type yes to go on with batch ${batch}: `,
    terminal,
  );
  return typed?.trim().toLowerCase() === 'yes';
}
