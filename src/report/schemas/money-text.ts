import * as z from 'zod';

/** Money in JSON is text: a double would round what a bank does not. */
export const moneyText = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .meta({ description: 'Plain decimal text with the decimals of its currency, such as 125000.00' });
