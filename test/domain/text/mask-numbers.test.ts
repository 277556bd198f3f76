import { describe, expect, test } from 'vitest';
import { maskNumbers, maskPayees } from '../../../src/domain/text/mask-numbers.ts';

describe('numbers in what is logged', () => {
  test('a payment that goes by its payee shows the last four digits', () => {
    expect(maskPayees('payment KE:momo:+254712345671: no answer')).toBe('payment KE:momo:…5671: no answer');
    expect(maskPayees('payment NG:bank:058:0123456789')).toBe('payment NG:bank:058:…6789');
    expect(maskPayees('payment 123456789012 of batch A')).toBe('payment 123456789012 of batch A');
  });

  test('so does a number that the service repeats; references and transactions stay whole', () => {
    expect(maskNumbers('E-1: 254712345671 (+254712345671) is no wallet')).toBe(
      'E-1: …5671 (…5671) is no wallet',
    );
    const reference = 'b5aba30b-380a-520f-b529-728917600235';
    expect(maskNumbers(`reference ${reference}`)).toBe(`reference ${reference}`);
    expect(maskNumbers('found (TX000000000000000001, failed)')).toBe('found (TX000000000000000001, failed)');
    expect(maskNumbers('its amount is 120000.50')).toBe('its amount is 120000.50');
  });

  test('also in what is a number or a payee and nothing else, and where both stand', () => {
    expect(maskNumbers('KE:momo:+254712')).toBe('KE:momo:…4712');
    expect(maskNumbers('NG:bank:058:01234')).toBe('NG:bank:058:…1234');
    expect(maskNumbers('123456789')).toBe('…6789');
    expect(maskNumbers('KE:momo:+254712345671 254712345672')).toBe('KE:momo:…5671 …5672');
  });
});
