import type { Bounds } from '../../domain/money/bounds.ts';
import { decimalOf, formatMoney } from '../../domain/money/format-money.ts';
import type { Minor } from '../../domain/money/money.ts';
import { PayrunError } from '../../errors.ts';
import type { RunContext } from '../run/run-context.ts';
import { type Excess, excesses, exposureOf, touchedBy } from './exposure.ts';

/**
 * Asked before anything of an accepted batch is sent: what was released, retried or brought back since may pass what a
 * person has confirmed. What was sent already is past asking, so that a currency in which nothing waits is left alone.
 */
export async function checkConfirmedTotal(
  { batch, payouts, service }: RunContext,
  bounds: Bounds,
  runLimit: ReadonlyMap<string, Minor> = new Map(),
): Promise<PayrunError | undefined> {
  const { waiting, sent } = await payouts.exposedTotals();
  const going = touchedBy(waiting);
  const asked = new Map([...bounds].filter(([currency]) => going.has(currency)));
  if (asked.size === 0) return undefined;
  const exposure = await exposureOf(
    service,
    [...sent, ...waiting],
    (currency) => asked.get(currency)?.mostMinor !== undefined,
  );
  const exceeded = excesses(asked, exposure);
  if (exceeded.length === 0) return undefined;
  const told = exceeded.map((excess) => sentenceOf(excess, batch.name, runLimit)).join(' ');
  return new PayrunError('limit', `${told} Nothing was sent.`, {
    messageAfterSends: `${told} Nothing more is sent.`,
  });
}

function sentenceOf(
  { currency, boundMinor, wouldBeMinor, estimated }: Excess,
  batch: string,
  runLimit: ReadonlyMap<string, Minor>,
): string {
  const bound = formatMoney(boundMinor, currency);
  const isOfRun = runLimit.get(currency) === boundMinor;
  const limited = isOfRun
    ? `--max-total limits this resume to ${bound} for batch ${batch}`
    : `Batch ${batch} was confirmed up to ${bound}`;
  if (wouldBeMinor === undefined)
    return `${limited}, and the service publishes no exchange rate, so the debit cannot be checked.`;
  const wouldBe = `${estimated ? 'about ' : ''}${formatMoney(wouldBeMinor, currency)}`;
  const way = isOfRun
    ? 'To go as far as was confirmed, resume without --max-total;'
    : `To allow that, run its file with --max-total ${currency}=${decimalOf(wouldBeMinor, currency)};`;
  return `${limited}; with all that waits to be sent it would be ${wouldBe}. ${way} else cancel what is not to be sent.`;
}
