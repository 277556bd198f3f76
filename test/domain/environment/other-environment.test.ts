import { describe, expect, test } from 'vitest';
import {
  type Environment,
  environmentFromKey,
  environmentKey,
} from '../../../src/domain/environment/environment.ts';
import { notRebound, otherEnvironment } from '../../../src/domain/environment/other-environment.ts';
import { publicKeyMark } from '../../../src/domain/environment/public-key-mark.ts';

const environment: Environment = {
  place: 'https://pay.example/api/b2b',
  email: 'a@b.example',
  profileKey: 'pk_profile',
  configuredKey: 'pk_configured',
};
const batch = { name: 'May wages', environment };

describe('another environment', () => {
  test('is one of which anything that tells accounts apart has changed, and both are named', () => {
    expect(otherEnvironment(batch, { ...environment })).toBeUndefined();
    const said = (change: Partial<Environment>) => otherEnvironment(batch, { ...environment, ...change });
    expect(said({ place: 'https://pay.example/v2' })).toContain(
      'the address of the service was https://pay.example/api/b2b and is https://pay.example/v2 now',
    );
    expect(said({ email: 'c@d.example' })).toContain('was a@b.example and is c@d.example now');
    expect(said({ email: '' })).toContain('was a@b.example and is empty now');
    expect(said({ profileKey: 'pk_other' })).toContain(
      'the public key of the profile was pk_profile and is pk_other now',
    );
    const both = said({ profileKey: 'pk_other', configuredKey: 'pk_own' });
    expect(both).toContain('was pk_configured and is pk_own now');
    expect(both).toContain('was pk_profile and is pk_other now');
    expect(both).toContain(`payrun rebind 'May wages' --reason "…"`);
  });

  test('is not one of which something was not kept', () => {
    const before = { ...environment, profileKey: undefined, configuredKey: undefined };
    expect(otherEnvironment({ name: 'may', environment: before }, environment)).toBeUndefined();
    expect(
      otherEnvironment({ name: 'may', environment: before }, { ...environment, email: 'c@d' }),
    ).toContain('the e-mail of the profile');
  });

  test('what comes from the service is shown so that it acts on no terminal', () => {
    const said = otherEnvironment(batch, { ...environment, email: '\u001b[2Jx' });
    expect(said).toContain('<U+001B>[2Jx');
    expect(said).not.toContain('\u001b');
  });

  test('an environment is found again by its key, whatever is in it', () => {
    const odd = { ...environment, email: 'a"b\\c é', profileKey: undefined, configuredKey: '' };
    expect(environmentFromKey(environmentKey(odd))).toEqual(odd);
  });
});

test('of many payouts that are missing the first are named, and how many more there are', () => {
  const first = Array.from({ length: 30 }, (_, index) => ({
    payment: `P${index}`,
    state: 'paid' as const,
    why: 'other-transaction' as const,
  }));
  const said = notRebound(batch, { found: 5, missing: 45, first });
  expect(said).toContain('does not show 45 of 50 payouts');
  expect(said).toContain('payment P19 (paid): another transaction stands under its reference');
  expect(said).not.toContain('P20');
  expect(said).toContain('and 25 more payouts');
});

test('a public key is known by its end and a checksum, and a short one by the checksum alone', () => {
  expect(publicKeyMark('pk_live_0123456789abWXYZ')).toMatch(/^…WXYZ \([0-9a-f]{16}\)$/);
  expect(publicKeyMark('pk_live_1')).toMatch(/^… \([0-9a-f]{16}\)$/);
  expect(publicKeyMark('pk_live_1')).not.toBe(publicKeyMark('pk_live_2'));
  expect(publicKeyMark('')).toBe('');
});
