import type { Minor } from '../domain/money.ts';
import { decimalOf, showMoney } from '../domain/show-money.ts';
import type { CurrencyTotal } from './3-plan-batch.ts';
import type { WalletFunds } from './funds.ts';
import type { Guard } from './guards.ts';

/** What a person allowed before money moves, by currency. */
export interface Limits {
  /** Equals the file's sound rows, whatever was paid before. */
  readonly confirmTotal: ReadonlyMap<string, Minor>;
  /** Bounds what was sent, less what conclusively failed, plus what would be sent. */
  readonly maxTotal: ReadonlyMap<string, Minor>;
}

export interface LimitFacts {
  readonly totals: readonly CurrencyTotal[];
  readonly funds: readonly WalletFunds[];
  /** Sent before by this batch and not conclusively failed, by currency. */
  readonly sentMinor: ReadonlyMap<string, Minor>;
  /** Every currency needs a limit: a live service and nobody at the terminal. */
  readonly needed: boolean;
}

/** Refuses totals that nobody has seen, or other ones than were seen. */
export function limitGuards(limits: Limits, { totals, funds, sentMinor, needed }: LimitFacts): Guard[] {
  const guards: Guard[] = [];
  for (const { currency, fileMinor, toSendMinor } of totals) {
    const confirmed = limits.confirmTotal.get(currency);
    const most = limits.maxTotal.get(currency);
    if (confirmed !== undefined && confirmed !== fileMinor) {
      guards.push(
        refusal(
          `--confirm-total says ${showMoney(confirmed, currency)}, the file adds up to ${showMoney(fileMinor, currency)}.`,
        ),
      );
    }
    const wouldBe = (sentMinor.get(currency) ?? 0n) + toSendMinor;
    if (most !== undefined && wouldBe > most) {
      guards.push(
        refusal(
          `--max-total allows ${showMoney(most, currency)}; with what was sent before it would be ${showMoney(wouldBe, currency)}.`,
        ),
      );
    }
    if (needed && confirmed === undefined && most === undefined) {
      guards.push(
        refusal(
          `Nobody has confirmed ${showMoney(fileMinor, currency)}: add --confirm-total ${currency}=${decimalOf(fileMinor, currency)} or --max-total ${currency}=….`,
        ),
      );
    }
  }
  return [...guards, ...debitGuards(limits, totals, funds, needed), ...strangers(limits, totals, funds)];
}

/** A currency that is only debited is held against the estimate. */
function debitGuards(
  { maxTotal }: Limits,
  totals: readonly CurrencyTotal[],
  funds: readonly WalletFunds[],
  needed: boolean,
): Guard[] {
  const paid = new Set(totals.map((total) => total.currency));
  const debited = new Map<string, Minor>();
  const unknown = new Set<string>();
  for (const { currency, neededMinor } of funds) {
    if (paid.has(currency)) continue;
    if (neededMinor === undefined) unknown.add(currency);
    else debited.set(currency, (debited.get(currency) ?? 0n) + neededMinor);
  }
  const unrated = [...unknown].map((currency) =>
    refusal(
      `The service gives no rate for ${currency}, so what would be debited cannot be held against a limit.`,
    ),
  );
  const limited = [...debited].flatMap(([currency, estimate]) => {
    const most = maxTotal.get(currency);
    if (most === undefined) {
      return needed
        ? [
            refusal(
              `About ${showMoney(estimate, currency)} would be debited and nobody has limited it: add --max-total ${currency}=….`,
            ),
          ]
        : [];
    }
    return estimate > most
      ? [
          refusal(
            `--max-total allows ${showMoney(most, currency)}; about ${showMoney(estimate, currency)} would be debited.`,
          ),
        ]
      : [];
  });
  return needed ? [...unrated, ...limited] : limited;
}

/** A limit for a currency that the file does not touch is a slip: perhaps of the file, perhaps of the command. */
function strangers(limits: Limits, totals: readonly CurrencyTotal[], funds: readonly WalletFunds[]): Guard[] {
  const touched = new Set([
    ...totals.map((total) => total.currency),
    ...funds.map((wallet) => wallet.currency),
  ]);
  return [...limits.confirmTotal.keys()]
    .filter((currency) => !touched.has(currency))
    .map((currency) => refusal(`--confirm-total names ${currency}, and nothing in the file is paid in it.`));
}

function refusal(message: string): Guard {
  return { code: 'limit', message };
}
