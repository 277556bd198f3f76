import { referenceOf } from '../../../src/domain/reference.ts';
import type { MeantRow } from '../oracle.ts';
import type { Holder } from './model-service.ts';
import { bankCode, type WrittenPayee } from './right-payees.ts';

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
  /** Some of its rows, as somebody copies them into a file of their own. */
  only(keys: ReadonlySet<string>): Pick<Payroll, 'rows' | 'text'>;
  /** The same file, as if it had been tried before: some rows name an attempt that may never have been made. */
  forged(chance: () => number): string;
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
  /** Empty where the file does not say. */
  readonly operator: string;
  readonly branchCode: string;
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
  /** Where the file says operators and branches, and people correct them. */
  readonly operatorChance?: (() => number) | undefined;
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

export function createPayroll({
  chance,
  holders,
  serial,
  keyKind,
  operatorChance,
  ...wishes
}: PayrollWishes): Payroll {
  const rows: PayrollRow[] = [];
  const gone: PayrollRow[] = [];
  const versions: MeantRow[] = [];
  const pick = (of: number) => Math.floor(chance() * of);

  const note = (row: PayrollRow): PayrollRow => {
    versions.push({ key: keyOf(row, keyKind), number: row.number, currency: 'KES', amount: amountOf(row) });
    return row;
  };
  const railOf = (isBank: boolean) => ({
    operator: !operatorChance || isBank ? '' : oneOf(['', ...operators], operatorChance()),
    branchCode: operatorChance && isBank ? oneOf(['', ...branches], operatorChance()) : '',
  });
  /** Of the person, wherever the file names them. */
  const correctRail = (place: number, row: PayrollRow, luck: () => number): string => {
    const others = (row.isBank ? branches : operators).filter(
      (each) => each !== row.operator && each !== row.branchCode,
    );
    const right = oneOf(others, luck());
    const change = row.isBank ? { branchCode: right } : { operator: right };
    for (const [index, each] of rows.entries())
      if (index === place || each.number === row.number) rows[index] = { ...each, ...change };
    return row.isBank ? 'branch' : 'operator';
  };
  const newAmount = () => 100_000 + serial() * 10_007 + pick(100);

  const newRow = (): PayrollRow => {
    const place = serial();
    const name = `${given[place % 10]} ${family[Math.floor(place / 10) % 10]}`;
    const isBank = chance() < 0.2;
    const number = isBank ? `0170299${123_456 + place * 13}` : `+2547${12_345_671 + place * 7919}`;
    holders.set(number, holderOf(name, chance()));
    const narration = 'November';
    const amountMinor = newAmount();
    return note({ id: `K${place}`, name, number, isBank, amountMinor, narration, ...railOf(isBank) });
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
    text: () => csv(rows, keyKind, operatorChance !== undefined),
    only(keys) {
      const some = rows.filter((row) => keys.has(keyOf(row, keyKind)));
      return { rows: some, text: () => csv(some, keyKind, operatorChance !== undefined) };
    },
    forged: (luck) =>
      forgedCsv(csv(rows, keyKind, operatorChance !== undefined), wishes.name, rows, keyKind, luck),
    edit() {
      const place = pick(rows.length);
      const row = rows[place];
      if (row && operatorChance && operatorChance() < 0.5)
        return `${correctRail(place, row, operatorChance)} of ${row.id}`;
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
  return row.isBank ? `KE:bank:${bankCode}:${row.number}` : `KE:momo:${row.number}`;
}

/** Whom the row says is paid. */
export function payeeOf(row: PayrollRow, keyKind: 'paymentId' | 'payee'): WrittenPayee {
  const { name, number, isBank, operator, branchCode } = row;
  return { key: keyOf(row, keyKind), name, number, isBank, operator, branchCode };
}

function oneOf(words: readonly string[], luck: number): string {
  return words[Math.floor(luck * words.length)] ?? '';
}

export const operators: readonly string[] = ['mpesa', 'airtel', 'tkash'];
const branches = ['001', '045', '300'];

function csv(rows: readonly PayrollRow[], keyKind: 'paymentId' | 'payee', hasRails: boolean): string {
  const columns =
    'accountName,country,currency,amount,destination,phoneNumber,accountNumber,bankCode,narration';
  const head = hasRails ? `${columns},operator,branchCode` : columns;
  const lines = rows.map((row) => {
    const place = row.isBank ? `Bank Account,,${row.number},${bankCode}` : `MoMo,${row.number},,`;
    const line = `${row.name},KE,KES,${amountOf(row)},${place},${row.narration}`;
    return hasRails ? `${line},${row.operator},${row.branchCode}` : line;
  });
  if (keyKind === 'payee') return `${[head, ...lines].join('\n')}\n`;
  return `${[`paymentId,${head}`, ...lines.map((line, place) => `${rows[place]?.id},${line}`)].join('\n')}\n`;
}

function forgedCsv(
  text: string,
  batch: string,
  rows: readonly PayrollRow[],
  keyKind: 'paymentId' | 'payee',
  chance: () => number,
): string {
  const [head, ...lines] = text.trimEnd().split('\n');
  const forged = lines.map((line, place) => {
    const row = rows[place];
    if (!row) return line;
    const attempt = chance() < 0.7 ? 2 + Math.floor(chance() * 2) : 1;
    const key = keyOf(row, keyKind);
    return `${line},${batch},${key},${attempt},${referenceOf(batch, keyKind, key, attempt)}`;
  });
  return `${[`${head},payrun_batch,payrun_key,payrun_attempt,payrun_reference`, ...forged].join('\n')}\n`;
}
