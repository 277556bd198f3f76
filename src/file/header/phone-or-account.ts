import type { Field } from '../../domain/row.ts';
import { fieldOfHeader } from './header-aliases.ts';

/** How `--map` and the config call a column that holds a phone or an account, as the destination of its row says. */
export const phoneOrAccount = 'phoneOrAccount';
export const phoneOrAccountFields = ['phoneNumber', 'accountNumber'] as const satisfies readonly Field[];

/** `M-Pesa / Account No`, `Phone or account`: a header that names both. */
export function namesPhoneOrAccount(header: string): boolean {
  if (header.length > longestHeader) return false;
  for (const sign of ['/', '|', '&', ',', ' or ', ' OR ', ' Or ']) {
    for (let at = header.indexOf(sign); at >= 0; at = header.indexOf(sign, at + 1)) {
      const named = [header.slice(0, at), header.slice(at + sign.length)].map(
        (part) => fieldOfHeader(part)?.field,
      );
      if (phoneOrAccountFields.every((field) => named.includes(field))) return true;
    }
  }
  return false;
}

const longestHeader = 100;
