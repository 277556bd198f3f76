import { resolve } from 'node:path';
import type { InferredOptionTypes } from 'yargs';
import { shellWord } from '../../domain/text/shell-word.ts';
import { terminalText } from '../../report/terminal-text.ts';
import { faultWords, parseFaultPlan } from '../../sandbox/faults/fault-plan.ts';
import { testCards, testEndings } from '../../sandbox/faults/test-numbers.ts';
import type { Sandbox } from '../../sandbox/start-sandbox.ts';
import { sandboxPrefix } from '../../service/contract/prefixes.ts';
import { sandboxStatePath } from '../../workspace.ts';
import { durationFlag } from '../flags/duration-flag.ts';
import { switchFlag, textFlag } from '../flags/flag-kinds.ts';
import { portFlag } from '../flags/number-flags.ts';
import { usageError } from '../flags/usage-error.ts';
import { sandboxMark, sandboxMarkVariable } from '../setup/own-sandbox.ts';
import { stopSignal } from '../terminal/interrupts.ts';
import { sandboxBooksCommand, stateFolder } from '../terminal/sandbox-books.ts';
import type { Command } from './command.ts';

const options = () =>
  ({
    port: { type: 'number', default: 8484, describe: 'Port to listen on; 0 takes any free one' },
    host: { type: 'string', default: '127.0.0.1', describe: 'Address to listen on' },
    json: switchFlag('First line on stdout: url, apiKey, publicKey, webhookSecret'),
    memory: switchFlag('Keep nothing on disk'),
    workspace: stateFolder(),
    fault: { type: 'string', default: '', describe: 'Faults, for example lost-reply=0.05,latency=50ms' },
    seed: { type: 'string', default: '1', describe: 'The same seed gives the same faults' },
    'settle-after': { type: 'string', default: '1s', describe: 'Time from accepted to paid or failed' },
    'return-after': { type: 'string', default: '20s', describe: 'Time from paid to returned' },
    'token-lifetime': { type: 'string', default: '1h', describe: 'How long a token is valid' },
    'webhook-url': textFlag('Send webhooks to this address'),
  }) as const;

type Flags = InferredOptionTypes<ReturnType<typeof options>>;

export const sandboxCommand: Command<Flags> = {
  builder: (yargs) => yargs.command(sandboxBooksCommand).options(options()).epilogue(tables()),
  handler: async (flags) => {
    if (flags['webhook-url'] !== undefined && !URL.canParse(flags['webhook-url'])) {
      throw usageError('--webhook-url takes an address such as http://127.0.0.1:9000/.');
    }
    const { startSandbox } = await import('../../sandbox/start-sandbox.ts');
    const sandbox = await startSandbox({
      statePath: flags.memory ? undefined : sandboxStatePath(resolve(flags.workspace)),
      port: portFlag(flags),
      host: flags.host,
      faults: parseFaultPlan(flags.fault, flags.seed),
      settleAfterMs: durationFlag('--settle-after', flags['settle-after']),
      returnAfterMs: durationFlag('--return-after', flags['return-after']),
      tokenLifetimeMs: durationFlag('--token-lifetime', flags['token-lifetime']),
      webhookUrl: flags['webhook-url'],
    });
    // Listening first: whoever reads the line may stop us at once. A service that was told to stop has not failed.
    const stopped = stopSignal();
    process.stdout.write(flags.json ? credentialsLine(sandbox) : terminalText(banner(sandbox, flags)));
    await stopped;
    await sandbox.close();
  },
};

function credentialsLine({ url, apiKey, publicKey, webhookSecret }: Sandbox): string {
  return `${JSON.stringify({ url, apiKey, publicKey, webhookSecret })}\n`;
}

function banner(sandbox: Sandbox, flags: Flags): string {
  return `SANDBOX  The embedded payment service is running. No real money moves.

  address         ${sandbox.url}
  API key         ${sandbox.apiKey}
  public key      ${sandbox.publicKey}
  webhook secret  ${sandbox.webhookSecret}
  state           ${flags.memory ? 'none is kept' : sandboxStatePath(flags.workspace)}
  description     ${sandbox.url}/openapi.json

To point payrun at it, in another terminal:

${pointingLines(sandbox, flags).join('\n')}
  payrun service balance

Or any other client:

  TOKEN=$(curl -s ${sandbox.url}/api/b2b/auth/generate-bearer-token -H 'api-key: ${sandbox.apiKey}' -H 'content-type: application/json' -d '{"publicKey":"${sandbox.publicKey}"}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
  curl -s ${sandbox.url}/api/b2b/users -H "authorization: Bearer $TOKEN"

Ctrl-C stops it. Test numbers and faults: payrun sandbox --help
`;
}

/** With a workspace of its own: what is tried out has no place in the journal of real payments. */
function pointingLines({ url, publicKey, apiKey }: Sandbox, { workspace }: Flags): string[] {
  const mark = sandboxMark({ baseUrl: url, publicKey });
  const variables = {
    PAYRUN_BASE_URL: url,
    PAYRUN_PUBLIC_KEY: publicKey,
    PAYRUN_API_KEY: apiKey,
    PAYRUN_WORKSPACE: resolve(workspace),
    ...(mark !== undefined && { [sandboxMarkVariable]: mark }),
  };
  return Object.entries(variables).map(([name, value]) => `  export ${name}=${shellWord(value)}`);
}

function tables(): string {
  const line = (name: string, says: string) => `  ${name.padEnd(18)}${says}`;
  return [
    'Phone and account numbers with these endings pick an outcome; all others are paid:',
    ...Object.entries(testEndings).map(([ending, { says }]) => line(`…${ending}`, says)),
    '',
    'Cards for charges:',
    ...Object.entries(testCards).map(([number, { says }]) => line(number, says)),
    '',
    '--fault takes, joined by commas:',
    ...Object.entries(faultWords).map(([word, says]) => line(`${word}=`, says)),
    '',
    `The same service answers below /api/b2b and ${sandboxPrefix}.`,
  ].join('\n');
}
