import { StringDecoder } from 'node:string_decoder';
import { exitCode, PayrunError } from '../../errors.ts';

/** A terminal that can be told not to show what is typed. */
export interface SilentTerminal {
  readonly input: NodeJS.ReadableStream & { setRawMode?: (isRaw: boolean) => unknown };
  readonly output: NodeJS.WritableStream;
}

/** What is typed is shown nowhere, not even as stars: its length is nobody's business. */
export async function askPassphrase(question: string, { input, output }: SilentTerminal): Promise<string> {
  output.write(question);
  input.setRawMode?.(true);
  try {
    return await typedLine(input);
  } finally {
    input.setRawMode?.(false);
    input.pause();
    output.write('\n');
  }
}

function typedLine(input: NodeJS.ReadableStream): Promise<string> {
  const decoder = new StringDecoder('utf8');
  const typed: string[] = [];
  return new Promise((resolve, reject) => {
    const leave = () => {
      input.off('data', onData);
      input.off('end', onEnd);
    };
    const onEnd = () => {
      leave();
      reject(new PayrunError('declined', 'No passphrase was typed.'));
    };
    const onData = (data: Buffer | string) => {
      for (const character of typeof data === 'string' ? data : decoder.write(data)) {
        if (character === '\r' || character === '\n') {
          leave();
          return resolve(typed.join(''));
        }
        if (character === '\x04') return onEnd();
        if (character === '\x03') {
          leave();
          return reject(
            new PayrunError('declined', 'Stopped: nothing was signed or written.', {
              exit: exitCode.interrupted,
            }),
          );
        }
        if (character === '\x7f' || character === '\b') typed.pop();
        else if (character >= ' ') typed.push(character);
      }
    };
    input.on('data', onData);
    input.once('end', onEnd);
    input.resume();
  });
}
