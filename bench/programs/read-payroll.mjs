import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** As a script would read it: all at once, amounts as they stand. */
export function readPayroll(path) {
  return parse(readFileSync(path), { columns: true });
}

export const headers = {
  authorization: 'Bearer bench',
  'content-type': 'application/json',
};

/** The four calls of a row: account, name, payout, and the read that says it was paid. */
export function callsOf(row, batch) {
  const isMomo = row.phoneNumber !== '';
  const number = isMomo ? row.phoneNumber : row.accountNumber;
  const [firstName, ...rest] = row.accountName.split(' ');
  const { country, currency } = row;
  const payload = isMomo
    ? { firstName, lastName: rest.join(' '), phoneNumber: number, destination: 'MoMo' }
    : {
        accountName: row.accountName,
        accountNumber: number,
        code: row.bankCode,
        destination: 'Bank Account',
      };
  return {
    account: { country, currency, type: isMomo ? 'momo' : 'bank', payload },
    resolve: isMomo
      ? { accountNumber: number, currency, method: 'momo' }
      : { accountNumber: number, currency, method: 'bank', bankCode: row.bankCode },
    payout: (externalAccountId) => ({
      amount: Number(row.amount),
      currency,
      country,
      destination: payload.destination,
      externalReference: `${batch}-${row.paymentId}`,
      externalAccountId,
    }),
  };
}

/** What one row costs, over whichever client: `post` and `get` give the parsed reply. */
export async function payRow(row, batch, { get, post }, recorded = () => {}) {
  const { account, resolve, payout } = callsOf(row, batch);
  const named = await post('/utilities/account/resolve', resolve);
  recorded('name', row);
  if (named.data.accountName !== row.accountName) throw new Error(`another name: ${row.paymentId}`);
  const made = await post('/external-accounts', account);
  recorded('account', row);
  recorded('intent', row);
  const paid = await post('/fiat/payout', payout(made.data.id));
  recorded('accepted', row);
  const read = await get(`/transactions/${paid.transactionId}`);
  recorded('paid', row);
  if (read.data.status !== 'SUCCESSFUL') throw new Error(`not paid: ${row.paymentId}`);
}
