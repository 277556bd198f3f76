import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { InferredOptionTypes } from 'yargs';
import { isLoopback } from '../../domain/environment/is-loopback.ts';
import { counted } from '../../domain/text/counted.ts';
import { PayrunError } from '../../errors.ts';
import { jsonText } from '../../report/terminal-text.ts';
import { switchFlag } from '../flags/flag-kinds.ts';
import { portFlag } from '../flags/number-flags.ts';
import { workspaceFlags } from '../flags/workspace-flags.ts';
import { payrunOf, withPayrun } from '../setup/payrun-of.ts';
import { readSecretFile } from '../setup/read-secret-file.ts';
import { stopSignal } from '../terminal/interrupts.ts';
import { printText } from '../terminal/print.ts';
import type { Command } from './command.ts';

const options = {
  ...workspaceFlags,
  host: { type: 'string', default: '127.0.0.1', describe: 'Address to listen on' },
  port: { type: 'number', default: 8485, describe: 'Port to listen on; 0 takes any free one' },
  json: switchFlag('First line on stdout: {"url": …}'),
} as const;

export const listenCommand: Command<InferredOptionTypes<typeof options>> = {
  builder: (yargs) =>
    yargs
      .options(options)
      .epilogue(
        'PAYRUN_WEBHOOK_SECRET holds the shared secret, or PAYRUN_WEBHOOK_SECRET_FILE names a file that holds it.',
      ),
  handler: async (flags) => {
    const port = portFlag(flags);
    const secret = webhookSecret();
    const opened = await payrunOf(flags);
    return withPayrun(opened, async (payrun) => {
      const counts = { hints: 0, strange: 0, refused: 0 };
      const server = await payrun.webhookListener(secret, counts);
      const stopped = stopSignal();
      const url = await open(server, flags.host, port);
      if (!isLoopback(flags.host)) {
        process.stderr.write(
          'Webhooks bring the secret over plain HTTP. Only your own TLS proxy should reach this port.\n',
        );
      }
      await printText(flags.json ? jsonText({ url }) : `${opened.word}  Listening for webhooks on ${url}`);
      await stopped;
      await close(server);
      process.stderr.write(
        `${counted(counts.hints, 'hint')} taken, ${counts.strange} about payouts of others, ${counts.refused} refused.\n`,
      );
    });
  },
};

const shortestSecret = 8;

function webhookSecret(): string {
  const file = process.env['PAYRUN_WEBHOOK_SECRET_FILE'];
  const secret =
    file === undefined || file === ''
      ? process.env['PAYRUN_WEBHOOK_SECRET']?.trim()
      : readSecretFile('PAYRUN_WEBHOOK_SECRET_FILE', file, 'webhook-secret-missing');
  if (secret !== undefined && secret.length >= shortestSecret) return secret;
  throw new PayrunError(
    'webhook-secret-missing',
    `PAYRUN_WEBHOOK_SECRET (or PAYRUN_WEBHOOK_SECRET_FILE) is not set or shorter than ${shortestSecret} characters: without it anybody could send hints.`,
  );
}

async function open(server: Server, host: string, port: number): Promise<string> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw new PayrunError(
      'cannot-listen',
      `payrun cannot listen on ${host}:${port}: ${(error as Error).message}. Choose another --port, or 0 for any free one.`,
      { cause: error },
    );
  }
  const { port: taken } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${taken}`;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
