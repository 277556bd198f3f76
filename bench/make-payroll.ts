import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

const firstNames = 'Amina Baraka Brian Chebet Daniel Esther Fatuma Grace Hassan Ibrahim Joyce Kamau'.split(
  ' ',
);
const middleNames = 'Achieng Juma Kimani Mutua Njeri Otieno Wafula Wambui Wekesa Zawadi'.split(' ');
const lastNames = 'Abdi Barasa Kiplagat Mohamed Mwangi Ngugi Nyambura Ochieng Odhiambo Okello Wanjiku'.split(
  ' ',
);
const rowsAtOnce = 1000;

/**
 * A payroll as a large employer would send it: mobile money and bank accounts in Kenya, every person once, the same
 * file for the same number of rows.
 */
export async function makePayroll(path: string, rows: number, from = 0): Promise<void> {
  await pipeline(Readable.from(pages(from, from + rows)), createWriteStream(path));
}

function* pages(from: number, to: number): Generator<string> {
  let page = 'paymentId,accountName,country,currency,amount,phoneNumber,accountNumber,bankCode,department\n';
  for (let index = from; index < to; index += 1) {
    page += rowOf(index);
    if (index % rowsAtOnce === rowsAtOnce - 1) {
      yield page;
      page = '';
    }
  }
  yield page;
}

/** The name of the person with this serial number. */
export function nameOf(index: number): string {
  const parts = [firstNames, middleNames, lastNames].map(
    (names, place) => names[Math.floor(index / 7 ** place) % names.length],
  );
  return `${parts.join(' ')} ${String(index).padStart(7, '0').slice(-4)}`;
}

function rowOf(index: number): string {
  const amount = `${10_000 + (index % 90_000)}.${String(index % 100).padStart(2, '0')}`;
  const serial = String(index).padStart(7, '0');
  const account = index % 4 === 0 ? `,0100${serial}11,68` : `+25471${serial},,`;
  return `E${serial},${nameOf(index)},KE,KES,${amount},${account},Plant ${index % 40}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await makePayroll(process.argv[2] ?? 'payroll.csv', Number(process.argv[3] ?? 10_000));
}
