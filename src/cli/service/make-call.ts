import { strict as assert } from 'node:assert';
import type { HandCall, ServiceByHand } from '../../index.ts';
import { maskedReply } from '../../report/masked-reply.ts';
import { serviceDocument } from '../../report/service-document.ts';
import { serviceText } from '../../report/service-text.ts';
import { jsonText, terminalText } from '../../report/terminal-text.ts';
import { type OpenedPayrun, payrunOf, requireService, withPayrun } from '../setup/payrun-of.ts';
import { printText } from '../terminal/print.ts';
import { confirmCall, refuseUnconfirmed } from './confirm-call.ts';
import type { CommonFlags, DescribedCall } from './described-call.ts';

/** One call by hand: says where, asks where it changes something that is real, calls, shows. */
export async function makeCall<Name extends HandCall, Flags>(
  command: DescribedCall<Name, Flags>,
  flags: Flags & CommonFlags,
): Promise<void> {
  const opened = await payrunOf(flags);
  await withPayrun(opened, async (payrun) => {
    const isReal = requireService(opened) !== 'sandbox';
    const changes = 'yes' in flags;
    const asks = changes && isReal && flags.yes !== true;
    if (asks) refuseUnconfirmed();
    // What is changed at the embedded service must be there when the next command looks.
    if (changes && !isReal) await payrun.init();
    const service = await payrun.serviceByHand();
    assert(
      service.changes(command.call) === changes,
      `${command.call} is asked about where it changes something`,
    );
    if (changes || !flags.json)
      process.stderr.write(terminalText(`${firstLine(opened.word, service.place)}\n`));
    const reply = await callOnce(command, flags, service, asks);
    await print(command, flags, reply, opened, service);
  });
}

function firstLine(word: string, place: string): string {
  return word.toLowerCase() === place ? word : `${word}  ${place}`;
}

async function callOnce<Name extends HandCall, Flags>(
  command: DescribedCall<Name, Flags>,
  flags: Flags & CommonFlags,
  service: ServiceByHand,
  asks: boolean,
) {
  const { request, changes, ...options } = await command.want(flags);
  service.check(command.call, request);
  assert(changes !== undefined || !service.changes(command.call), `${command.call} says what it changes`);
  if (changes !== undefined) await confirmCall(changes, asks);
  const reply = command.send
    ? await command.send(service, flags)
    : await service.call(command.call, request, options);
  return { request, reply };
}

async function print<Name extends HandCall, Flags>(
  { call, show }: DescribedCall<Name, Flags>,
  flags: Flags & CommonFlags,
  { reply, request }: Awaited<ReturnType<typeof callOnce<Name, Flags>>>,
  { word }: OpenedPayrun,
  { place }: ServiceByHand,
): Promise<void> {
  const { text, ...forMachines } = show(flags.show ? reply : maskedReply(reply), flags, request);
  if (flags.json)
    return printText(jsonText(serviceDocument({ call, mode: word, environment: place, ...forMachines })));
  await printText(serviceText(text, process.stdout.columns ?? Number.POSITIVE_INFINITY));
}
