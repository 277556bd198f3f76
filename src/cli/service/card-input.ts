import { askHidden } from '../terminal/ask-hidden.ts';
import { isAtTerminal, ownTerminal } from './confirm-call.ts';
import { readObject } from './secret-input.ts';

interface Card {
  readonly cardDetails: Readonly<Record<(typeof cardFields)[number], string>>;
  /** Checked by the contract, as all of it is. */
  readonly address?: Address;
  readonly device3DSInfo?: Device;
}

type Address = Readonly<Record<'zip' | 'country' | 'street1' | 'city' | 'state', string>>;
type Device = Readonly<Record<'colorDepth' | 'screenHeight' | 'screenWidth' | 'timeZone', number>> &
  Readonly<Record<'userAgent' | 'deviceId', string>>;

const cardFields = ['number', 'cvv', 'expMonth', 'expYear'] as const;

/** From a file or stdin as JSON; at a terminal, where no file is named, field by field and never shown. */
export async function readCard(file: string | undefined): Promise<Card> {
  if (file === undefined && isAtTerminal()) return { cardDetails: await askForCard() };
  const { address, device3DSInfo, ...card } = await readObject(file, [
    ...cardFields,
    'address',
    'device3DSInfo',
  ]);
  return {
    cardDetails: detailsOf((field) => String(card[field] ?? '')),
    ...(address === undefined ? {} : { address: address as Address }),
    ...(device3DSInfo === undefined ? {} : { device3DSInfo: device3DSInfo as Device }),
  };
}

async function askForCard(): Promise<Card['cardDetails']> {
  const terminal = ownTerminal();
  terminal.output.write('What you type is not shown.\n');
  const number = await askHidden('Number of the card: ', terminal);
  const expMonth = await askHidden('Month in which it expires (12): ', terminal);
  const expYear = await askHidden('Year in which it expires (2030): ', terminal);
  const cvv = await askHidden('Security code (CVV): ', terminal);
  const typed = { number, cvv, expMonth, expYear };
  return detailsOf((field) => typed[field]);
}

/** Written with the blanks that stand on the card, perhaps. */
function detailsOf(read: (field: (typeof cardFields)[number]) => string): Card['cardDetails'] {
  const field = (name: (typeof cardFields)[number]) => read(name).replace(/[\s-]/g, '');
  return {
    number: field('number'),
    cvv: field('cvv'),
    expMonth: field('expMonth'),
    expYear: field('expYear'),
  };
}

/** In the forms in which a service could repeat them. */
export function cardSecrets({ cardDetails: { number, cvv, expMonth, expYear } }: Card): string[] {
  const months = [expMonth, expMonth.padStart(2, '0')];
  const years = [expYear, expYear.slice(-2), `20${expYear.slice(-2)}`];
  return [number, cvv, ...months.flatMap((month) => years.map((year) => `${month}/${year}`))];
}
