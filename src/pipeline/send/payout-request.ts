import { strict as assert } from 'node:assert';
import { jsonNumberFromMinor } from '../../domain/money/money.ts';
import { intentionOf, type Payout } from '../../domain/payout/payout.ts';
import { fingerprintOf, referenceOf } from '../../domain/reference.ts';
import { findCurrency } from '../../domain/reference-data/countries.ts';
import { PayrunError } from '../../errors.ts';
import type { PayoutRequest } from '../../service/contract/payouts.ts';
import type { RunContext } from '../run/run-context.ts';

/**
 * The request, made from the journaled values and checked against the journaled identity: what goes out is what was
 * validated, shown and confirmed.
 */
export function payoutRequest({ batch }: RunContext, payout: Payout): PayoutRequest {
  const { currency, country, destination, amountMinor } = payout;
  const debit = {
    ...(payout.debitCurrency === '' ? {} : { debitCurrency: payout.debitCurrency }),
    ...(payout.debitCountry === '' ? {} : { debitCountry: payout.debitCountry }),
  };
  const reference = referenceOf(batch.name, batch.keyKind, payout.key, payout.attempt);
  const fingerprint = fingerprintOf(intentionOf(payout));
  if (reference !== payout.reference || fingerprint !== payout.fingerprint) throw tampered(payout);
  assert(payout.externalAccountId !== '', `payment ${payout.key} has no external account`);
  return {
    amount: jsonNumberFromMinor(amountMinor, findCurrency(currency)?.decimals ?? 0),
    currency,
    country,
    destination,
    externalReference: reference,
    externalAccountId: payout.externalAccountId,
    ...debit,
  };
}

/** The values about to go out are not those that were validated, shown and confirmed. */
function tampered({ key }: Payout): PayrunError {
  return new PayrunError(
    'journal-damaged',
    `Payment ${key} stands in the journal with other values than were accepted: the journal is damaged, or somebody has changed it. It was not sent. Look with: payrun audit`,
  );
}
