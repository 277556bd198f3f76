import { randomBytes } from 'node:crypto';
import type { Database } from 'better-sqlite3';

export interface Profile {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly webhookUrl: string;
  readonly sandboxWebhookUrl: string;
}

const newProfile: Profile = {
  firstName: 'Sandbox',
  lastName: 'Account',
  email: 'payroll@example.com',
  webhookUrl: '',
  sandboxWebhookUrl: '',
};

/** Credentials and profile of the one account this service has: made once, then kept. */
export function createSettings(db: Database) {
  const read = db.prepare<[string], string>('SELECT value FROM settings WHERE key = ?').pluck();
  const write = db.prepare<[string, string]>(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );

  const keepFirst = db.prepare<[string, string]>('INSERT OR IGNORE INTO settings (key, value) VALUES (?, ?)');

  /** Whoever comes second finds the first one's. */
  function keep(key: string, make: () => string): string {
    keepFirst.run(key, make());
    return read.get(key) ?? '';
  }

  const secret = (prefix: string) => () => prefix + randomBytes(24).toString('base64url');
  let profile: Profile = { ...newProfile, ...JSON.parse(read.get('profile') ?? '{}') };

  return {
    apiKey: keep('apiKey', secret('sk_sandbox_')),
    publicKey: keep('publicKey', secret('pk_sandbox_')),
    webhookSecret: keep('webhookSecret', secret('whsec_')),
    tokenSecret: keep('tokenSecret', secret('')),
    /** True once, for the opening balances of a new service. */
    firstTime: (key: string): boolean => {
      const known = read.get(key) !== undefined;
      if (!known) write.run(key, 'done');
      return !known;
    },
    profile: (): Profile => profile,
    changeProfile(changes: Partial<Profile>): void {
      profile = { ...profile, ...changes };
      write.run('profile', JSON.stringify(profile));
    },
  };
}

export type Settings = ReturnType<typeof createSettings>;
