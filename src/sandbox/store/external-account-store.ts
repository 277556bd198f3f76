import type { Database } from 'better-sqlite3';

export interface ExternalAccountRecord {
  readonly id: string;
  readonly country: string;
  readonly currency: string;
  readonly destination: string;
  readonly number: string;
  readonly code: string;
  readonly branchCode: string;
  readonly accountName: string;
  readonly createdS: number;
}

type Owner = Pick<ExternalAccountRecord, 'country' | 'currency' | 'destination' | 'number' | 'code'>;

const select = `SELECT id, country, currency, destination, number, code, branch_code AS branchCode,
  account_name AS accountName, created_s AS createdS FROM external_accounts`;

export function createExternalAccounts(db: Database) {
  const insert = db.prepare(
    `INSERT INTO external_accounts
       (id, country, currency, destination, owner_code, number, code, branch_code, account_name, created_s)
     VALUES (@id, @country, @currency, @destination, @ownerCode, @number, @code, @branchCode, @accountName, @createdS)`,
  );
  const update = db.prepare(
    `UPDATE external_accounts SET country = @country, currency = @currency, destination = @destination,
       owner_code = @ownerCode, number = @number, code = @code, branch_code = @branchCode, account_name = @accountName
     WHERE id = @id`,
  );
  const remove = db.prepare<[string]>('DELETE FROM external_accounts WHERE id = ?');
  const byId = db.prepare<[string], ExternalAccountRecord>(`${select} WHERE id = ?`);
  const all = db.prepare<[], ExternalAccountRecord>(`${select} ORDER BY seq`);
  const sameNumber = db
    .prepare<unknown[], string>(
      `SELECT id FROM external_accounts
       WHERE number = ? AND owner_code = ? AND country = ? AND currency = ? AND destination = ?`,
    )
    .pluck();

  return {
    find: (id: string) => byId.get(id),
    all: () => all.all(),
    /** The id that holds this number already, at this bank, in this currency. */
    holder: (owner: Owner): string | undefined =>
      sameNumber.get(owner.number, ownerCode(owner), owner.country, owner.currency, owner.destination),
    add: (record: ExternalAccountRecord) => void insert.run({ ...record, ownerCode: ownerCode(record) }),
    change: (record: ExternalAccountRecord) => void update.run({ ...record, ownerCode: ownerCode(record) }),
    remove: (id: string): boolean => remove.run(id).changes > 0,
  };
}

export type ExternalAccounts = ReturnType<typeof createExternalAccounts>;

function ownerCode(owner: Pick<Owner, 'destination' | 'code'>): string {
  return owner.destination === 'MoMo' ? '' : owner.code;
}
