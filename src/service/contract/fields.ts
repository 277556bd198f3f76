import * as z from 'zod';
import { assumed } from './assumptions.ts';
import { concealedMark } from './concealed-mark.ts';

/** Requests are strict and bounded; replies are lenient: fields we do not know pass through. */
export const shortText = z.string().trim().min(1).max(200);
/** A text of a reply that tells one thing from another: where a secret was taken out of it, it tells nothing. */
export const tellingText = z
  .string()
  .refine((text) => !text.includes(concealedMark), 'must not hold a secret');
/** Goes into paths, results and logs: what a path would swallow is none, nor what acts on a terminal or hides. */
export const identifier = tellingText
  .min(1)
  .max(200)
  .refine(
    (text) => text !== '.' && text !== '..' && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text),
    'must be an identifier',
  );
export const currencyCode = z.string().regex(/^[A-Z]{3}$/, 'must be a three-letter currency code');
export const countryCode = z.string().regex(/^[A-Z]{2}$/, 'must be a two-letter country code');
/** Never trimmed: what is looked up later is what was sent. */
export const externalReference = z
  .string()
  .max(100)
  .regex(/^\S(.*\S)?$/s, 'must not be empty, nor begin or end with a blank');
export const isoDate = z.iso.date();

/** At most fifteen significant digits travel exactly as a JSON number. */
export const amount = z.number().positive().max(999_999_999_999_999);

export const phoneNumber = assumed(
  'phone-plus',
  z.string().regex(/^\+?[1-9]\d{6,14}$/, 'must be an international phone number'),
);

export const accountNumber = z.string().regex(/^\+?[A-Za-z0-9]{4,34}$/, 'must be 4 to 34 letters and digits');

export const destination = z.enum(['MoMo', 'Bank Account']);

export const redirectUrl = z.url({ protocol: /^https?$/ }).max(2000);

/** An amount in a reply: a number, or the same as text. Compared as a decimal, never as a float. */
export const amountReply = z.union([z.number(), z.string()]);

export const succeeded = z.literal(true);

/** The reply of a call that has little more to say than that it was done. */
export const doneReply = z.looseObject({ success: succeeded, message: z.string().optional() });

/** The failure envelope. `error` is the countries list's own form. */
export const failureEnvelope = z
  .looseObject({
    success: z.literal(false),
    message: z.string().optional(),
    errorCode: z.string().optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'Failure', description: 'Failure envelope' });
