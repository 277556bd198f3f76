import { randomBytes } from 'node:crypto';
import type { Database } from 'better-sqlite3';

type Profile = Readonly<typeof newProfile>;

const newProfile = {
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
  function keepSecret(key: string, prefix: string): string {
    keepFirst.run(key, prefix + randomBytes(24).toString('base64url'));
    return read.get(key) ?? '';
  }

  let profile: Profile = { ...newProfile, ...JSON.parse(read.get('profile') ?? '{}') };

  return {
    apiKey: keepSecret('apiKey', 'sk_sandbox_'),
    publicKey: keepSecret('publicKey', 'pk_sandbox_'),
    webhookSecret: keepSecret('webhookSecret', 'whsec_'),
    tokenSecret: keepSecret('tokenSecret', ''),
    /** True once, for the opening balances of a new service. */
    firstTime: (key: string): boolean => keepFirst.run(key, 'done').changes > 0,
    profile: (): Profile => profile,
    changeProfile(changes: Partial<Profile>): void {
      profile = { ...profile, ...changes };
      write.run('profile', JSON.stringify(profile));
    },
  };
}

export type Settings = ReturnType<typeof createSettings>;
