import type { ExternalAccount } from './model-account.ts';
import type { Holder } from './model-service.ts';

/** A row as somebody wrote it, as far as it says who is paid. */
export interface WrittenPayee {
  readonly key: string;
  readonly name: string;
  readonly number: string;
  readonly isBank: boolean;
  readonly operator: string;
  readonly branchCode: string;
}

/**
 * Who may be paid: the rows as they were written, whose the accounts are, and what a person has let pass. Knows nothing
 * of what payrun was told or has kept.
 */
export function createRightPayees(holders: ReadonlyMap<string, Holder>) {
  const written = new Map<string, readonly WrittenPayee[]>();
  const inForce = new Map<string, readonly WrittenPayee[]>();
  const released = new Set<string>();

  const place = (batch: string, key: string) => `${batch}/${key}`;
  const isAt = (payee: WrittenPayee, { payoutMethod }: ExternalAccount) =>
    payee.number === payoutMethod.accountNumber &&
    (payee.isBank
      ? payoutMethod.code === bankCode
      : payee.operator === '' || payee.operator === payoutMethod.code) &&
    (payee.branchCode === '' || payee.branchCode === payoutMethod.branchCode);

  return {
    /** A run may take the row from now on. What it was before may still be what counts. */
    mayTake(batch: string, payee: WrittenPayee): void {
      const of = place(batch, payee.key);
      written.set(of, [...(written.get(of) ?? []), payee]);
      inForce.set(of, [...(inForce.get(of) ?? []), payee]);
    },
    /** The row was taken before anything was sent for it, or after that had failed: only it counts now. */
    taken(batch: string, payee: WrittenPayee): void {
      inForce.set(place(batch, payee.key), [payee]);
    },
    /** The journal is another one: any of the rows may be what it knows. */
    forget(): void {
      for (const [of, payees] of written) inForce.set(of, payees);
    },
    /** A person has seen the name, and lets it pass for this account. */
    release(batch: string, key: string): void {
      for (const { number } of written.get(place(batch, key)) ?? []) released.add(number);
    },

    /** Why this money goes to the wrong one; undefined where it does not. */
    whyWrong(batch: string, key: string, account: ExternalAccount): string | undefined {
      const of = place(batch, key);
      const { accountNumber, code, branchCode } = account.payoutMethod;
      if (!inForce.get(of)?.some((payee) => isAt(payee, account)))
        return `no row says ${accountNumber} by ${code || 'no code'} at branch ${branchCode || 'none'}`;
      if (released.has(accountNumber)) return undefined;
      const holder = holders.get(accountNumber);
      if (typeof holder !== 'object') return `whose ${accountNumber} is cannot be checked (${holder})`;
      const isNamed = written
        .get(of)
        ?.some(
          ({ number, name }) => number === accountNumber && name.toUpperCase() === holder.name.toUpperCase(),
        );
      return isNamed ? undefined : `${accountNumber} belongs to ${holder.name}`;
    },
  };
}

export type RightPayees = ReturnType<typeof createRightPayees>;

export const bankCode = '68';
