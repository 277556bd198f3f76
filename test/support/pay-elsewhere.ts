import { referenceOf } from '../../src/domain/reference.ts';
import { type Cells, openPayroll } from './pay-run.ts';
import type { WatchedService } from './watched-service.ts';
import { isPayout } from './watched-service.ts';

/**
 * Somebody else has the service pay rows of a batch under the references of one of their attempts, whatever became of
 * those before it. The requests are those that payrun makes, with another reference.
 */
export async function payElsewhere(
  service: WatchedService,
  batch: string,
  rows: readonly Cells[],
  attempt: number,
): Promise<void> {
  const other = openPayroll(service);
  const bodies = new Map<string, Record<string, unknown>>();
  service.interfere((call) => {
    if (!isPayout(call)) return undefined;
    bodies.set(call.reference ?? '', JSON.parse(call.body) as Record<string, unknown>);
    const body = { success: false, message: 'Not here', errorCode: `E-PAY.S-${bodies.size}` };
    return { kind: 'answer', status: 400, body };
  });
  await other.run(other.write(`${batch}.csv`, rows), { settings: { timeoutMs: 20_000 } });
  service.interfere();
  for (const { paymentId = '' } of rows) {
    const body = bodies.get(referenceOf(batch, 'paymentId', paymentId, 1));
    if (!body) throw new Error(`no request was seen for ${paymentId}`);
    const externalReference = referenceOf(batch, 'paymentId', paymentId, attempt);
    const { status } = await service.caller.post('/fiat/payout', { ...body, externalReference });
    if (status >= 300) throw new Error(`the service did not take ${paymentId}`);
  }
}
