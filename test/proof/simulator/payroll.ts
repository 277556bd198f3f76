import type { MeantRow } from '../oracle.ts';
import type { Holder } from './model-service.ts';

/** A file somebody keeps: its rows as they are now, and everything that they ever were. */
export interface Payroll {
  readonly batch: string;
  /** As given to --batch; undefined where the file's name says it. */
  readonly pattern: string | undefined;
  readonly fileName: string;
  readonly keyKind: 'paymentId' | 'payee';
  readonly rows: readonly PayrollRow[];
  /** Every version of every row that stood in the file once. */
  readonly versions: readonly MeantRow[];
  text(): string;
  /** Changes something, as people do, and says what. */
  edit(): string;
}

export interface PayrollRow {
  readonly id: string;
  readonly name: string;
  readonly number: string;
  readonly isBank: boolean;
  readonly amountMinor: number;
  readonly narration: string;
}

export interface PayrollWishes {
  readonly name: string;
  readonly pattern?: string | undefined;
  readonly rows: number;
  readonly keyKind: 'paymentId' | 'payee';
  readonly chance: () => number;
  /** Where it is written down whom each account belongs to. */
  readonly holders: Map<string, Holder>;
  /** Amounts and numbers that no other row of the seed has. */
  readonly serial: () => number;
}

const given = ['Amina', 'Brian', 'Chebet', 'Daniel', 'Esther', 'Faith', 'Gideon', 'Halima', 'Ian', 'Joyce'];
const family = [
  'Otieno',
  'Kamau',
  'Wanjiku',
  'Mutua',
  'Njoroge',
  'Achieng',
  'Barasa',
  'Chege',
  'Langat',
  'Omondi',
];

export function createPayroll({ chance, holders, serial, keyKind, ...wishes }: PayrollWishes): Payroll {
  const rows: PayrollRow[] = [];
  const gone: PayrollRow[] = [];
  const versions: MeantRow[] = [];
  const pick = (of: number) => Math.floor(chance() * of);

  const note = (row: PayrollRow): PayrollRow => {
    versions.push({ key: keyOf(row, keyKind), number: row.number, currency: 'KES', amount: amountOf(row) });
    return row;
  };
  const newAmount = () => 100_000 + serial() * 10_007 + pick(100);

  const newRow = (): PayrollRow => {
    const place = serial();
    const name = `${given[place % 10]} ${family[Math.floor(place / 10) % 10]}`;
    const isBank = chance() < 0.2;
    const number = isBank ? `0170299${123_456 + place * 13}` : `+2547${12_345_671 + place * 7919}`;
    holders.set(number, holderOf(name, chance()));
    const narration = 'November';
    return note({ id: `K${place}`, name, number, isBank, amountMinor: newAmount(), narration });
  };
  /** Two payments to one person: where the key is the payee that would be a mistake in the file. */
  const secondFor = (row: PayrollRow): PayrollRow =>
    note({ ...row, id: `K${serial()}`, amountMinor: newAmount() });

  for (let count = 0; count < wishes.rows; count += 1) {
    const known = rows[pick(rows.length)];
    rows.push(known && keyKind === 'paymentId' && chance() < 0.1 ? secondFor(known) : newRow());
  }

  const replace = (place: number, row: PayrollRow) => {
    rows[place] = note(row);
  };
  const edits: readonly ((place: number, row: PayrollRow) => string)[] = [
    (place, row) => {
      replace(place, { ...row, amountMinor: newAmount() });
      return 'amount';
    },
    (place, row) => {
      if (rows.length < 2) return 'nothing';
      gone.push(row);
      rows.splice(place, 1);
      return 'removed';
    },
    () => {
      rows.push(gone.pop() ?? newRow());
      return 'added';
    },
    (place, row) => {
      rows[place] = { ...row, narration: `Again ${serial()}` };
      return 'narration';
    },
    (place, row) => {
      const holder = holders.get(row.number);
      rows[place] = { ...row, name: typeof holder === 'object' ? holder.name : `${row.name} Junior` };
      return 'name';
    },
    (place, row) => {
      if (keyKind === 'payee' || row.isBank) return 'nothing';
      const number = `+2547${12_345_671 + serial() * 7919}`;
      holders.set(number, holderOf(row.name, chance()));
      replace(place, { ...row, number });
      return 'number';
    },
  ];

  return {
    batch: wishes.name,
    pattern: wishes.pattern,
    fileName: `${wishes.name}.csv`,
    keyKind,
    rows,
    versions,
    text: () => csv(rows, keyKind),
    edit() {
      const place = pick(rows.length);
      const row = rows[place];
      const change = edits[pick(edits.length)];
      return row && change ? `${change(place, row)} of ${row.id}` : 'nothing';
    },
  };
}

/** Most people are who they are said to be. */
function holderOf(name: string, luck: number): Holder {
  if (luck < 0.86) return { name: name.toUpperCase() };
  if (luck < 0.92) return { name: 'SOMEBODY ELSE' };
  return luck < 0.97 ? 'unsupported' : 'missing';
}

function amountOf({ amountMinor }: PayrollRow): string {
  return (amountMinor / 100).toFixed(2);
}

/** What the results call the payment; written apart from payrun's own. */
export function keyOf(row: PayrollRow, keyKind: 'paymentId' | 'payee'): string {
  if (keyKind === 'paymentId') return row.id;
  return row.isBank ? `KE:bank:68:${row.number}` : `KE:momo:${row.number}`;
}

function csv(rows: readonly PayrollRow[], keyKind: 'paymentId' | 'payee'): string {
  const head = 'accountName,country,currency,amount,destination,phoneNumber,accountNumber,bankCode,narration';
  const lines = rows.map((row) => {
    const place = row.isBank ? `Bank Account,,${row.number},68` : `MoMo,${row.number},,`;
    return `${row.name},KE,KES,${amountOf(row)},${place},${row.narration}`;
  });
  if (keyKind === 'payee') return `${[head, ...lines].join('\n')}\n`;
  return `${[`paymentId,${head}`, ...lines.map((line, place) => `${rows[place]?.id},${line}`)].join('\n')}\n`;
}
