import * as z from 'zod';
import { decimalOf } from '../domain/money/format-money.ts';
import type { Payee, Row } from '../domain/row.ts';
import { moneyText } from './schemas/money-text.ts';

const country = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .meta({ description: 'Two letters, such as KE' });
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .meta({ description: 'Three letters, such as KES' });
const branchCode = z.string().min(1).nullable();

const payee = z.discriminatedUnion('destination', [
  z.strictObject({
    destination: z.literal('MoMo'),
    country,
    phoneNumber: z
      .string()
      .regex(/^\+[1-9]\d{6,14}$/)
      .meta({ description: 'E.164 with its plus' }),
    operator: z.string().nullable().meta({ description: 'null where none is named or known' }),
    branchCode,
  }),
  z.strictObject({
    destination: z.literal('Bank Account'),
    country,
    bankCode: z.string().min(1),
    accountNumber: z.string().regex(/^[A-Z0-9]{4,34}$/),
    branchCode,
  }),
]);

/** A row that can be paid, as JSON can hold it. */
export const rowSchema = z
  .strictObject({
    line: z.number().int().min(1).meta({ description: 'The physical line on which the row begins' }),
    paymentId: z
      .string()
      .min(1)
      .max(200)
      .nullable()
      .meta({ description: 'null where the file has no such column' }),
    accountName: z.string().min(1).max(200),
    country,
    currency,
    amount: moneyText,
    payee,
    debitCurrency: currency.nullable().meta({ description: 'null: the currency that is paid' }),
    debitCountry: country.nullable().meta({ description: 'null: the service chooses the wallet by itself' }),
    narration: z
      .string()
      .min(1)
      .nullable()
      .meta({ description: 'At most 140 characters; not sent to the service' }),
  })
  .meta({ id: 'Row', title: 'A row that can be paid, in canonical form' });

export function rowDocument(row: Row): z.output<typeof rowSchema> {
  const { line, accountName, amountMinor } = row;
  return {
    line,
    paymentId: row.paymentId ?? null,
    accountName,
    country: row.country,
    currency: row.currency,
    amount: decimalOf(amountMinor, row.currency),
    payee: payeeDocument(row.payee),
    debitCurrency: row.debitCurrency ?? null,
    debitCountry: row.debitCountry ?? null,
    narration: row.narration ?? null,
  };
}

function payeeDocument(to: Payee): z.output<typeof payee> {
  const branch = to.branchCode ?? null;
  return to.destination === 'MoMo'
    ? { ...to, operator: to.operator ?? null, branchCode: branch }
    : { ...to, branchCode: branch };
}
