import { parseFaultPlan } from '../../src/sandbox/faults/fault-plan.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts';

/** What the harness asks of this process: another service, with nothing in it, or the end of one. */
export type ServicesRequest =
  | { readonly id: number; readonly open: { readonly dedupe: 'on' | 'off'; readonly settleAfterMs: number } }
  | { readonly id: number; readonly close: string };

export interface ServicesReply {
  readonly id: number;
  readonly opened?: Omit<Sandbox, 'close'>;
  readonly trouble?: string;
}

/** Services under proof live here, whatever becomes of the runs that speak to them. Ends with the harness. */
const services = new Map<string, Sandbox>();

process.on('message', (request: ServicesRequest) => void answer(request));
process.on('disconnect', () => process.exit(0));
process.send?.({ id: 0 } satisfies ServicesReply);

async function answer(request: ServicesRequest): Promise<void> {
  const { id } = request;
  try {
    process.send?.({ id, ...(await obey(request)) } satisfies ServicesReply);
  } catch (error) {
    process.send?.({ id, trouble: String(error) } satisfies ServicesReply);
  }
}

async function obey(request: ServicesRequest): Promise<Omit<ServicesReply, 'id'>> {
  if ('close' in request) {
    await services.get(request.close)?.close();
    services.delete(request.close);
    return {};
  }
  const { dedupe, settleAfterMs } = request.open;
  const faults = parseFaultPlan(`dedupe=${dedupe}`, '1');
  const sandbox = await startSandbox({ settleAfterMs, returnAfterMs: 600_000, faults });
  services.set(sandbox.url, sandbox);
  const { url, apiKey, publicKey, webhookSecret } = sandbox;
  return { opened: { url, apiKey, publicKey, webhookSecret } };
}
