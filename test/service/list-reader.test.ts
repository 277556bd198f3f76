import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callOutcome } from '../../src/service/call-outcome.ts';
import { concealSecrets } from '../../src/service/conceal-secrets.ts';
import { type ExternalAccount, listExternalAccounts } from '../../src/service/contract/external-accounts.ts';
import type { Reply } from '../../src/service/exchange.ts';
import { createListReader } from '../../src/service/list-reader.ts';

const secret = 'sk_live_VERYSECRETKEY0001';
const conceal = concealSecrets([secret]);
const context = { nowMs: 0, conceal };

function replied(bytes: Buffer, status: number): Reply {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { kind: 'reply', status, headers: {}, body: { ended: 'complete', text } };
  } catch {
    return { kind: 'reply', status, headers: {}, body: { ended: 'not-text' } };
  }
}

function asWhole(sent: string | Buffer, status: number) {
  return callOutcome(listExternalAccounts, replied(Buffer.from(sent), status), context);
}

/** The same with the items put back into the list. */
function inPieces(pieces: readonly Buffer[], status: number) {
  let taken: ExternalAccount[] = [];
  const taker = {
    begin: () => {
      taken = [];
    },
    take: (items: readonly ExternalAccount[]) => void taken.push(...items),
  };
  const list = createListReader(listExternalAccounts, taker, conceal);
  const left = Buffer.concat([...pieces.map((piece) => list.skim(piece)), list.skim()]);
  const outcome = callOutcome({ effect: 'read', reply: list.reply }, replied(left, status), context);
  if (outcome.kind !== 'ok') return { outcome, left };
  const value = outcome.value as { data: ExternalAccount[] };
  return { outcome: { ...outcome, value: { ...value, data: [...value.data, ...taken] } }, left };
}

function cut(sent: string | Buffer, cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(sent);
  const places = [0, ...cuts.map((at) => at % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((to, at) => bytes.subarray(places[at], to));
}

const nasty = fc.oneof(
  fc.constantFrom(
    'data',
    '"',
    '\\',
    '[{',
    '}],',
    '"data":[',
    `ey ${secret} ey`,
    '名',
    '😀',
    '\ud83d',
    '__proto__',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const account = fc.record(
  {
    externalAccountId: fc.oneof({ weight: 9, arbitrary: fc.string({ minLength: 1 }) }, fc.constant(7)),
    country: fc.constantFrom('KE', null),
    payoutMethod: fc.record({ accountName: nasty, accountNumber: fc.constantFrom('+254708000001', null) }),
    more: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: ['externalAccountId'] },
);
const good = account.filter(({ externalAccountId }) => /^[\w-]+$/.test(String(externalAccountId)));
const item = fc.oneof({ weight: 8, arbitrary: good }, account, fc.jsonValue({ maxDepth: 2 }));
const spaced = (value: unknown, blanks: string) => JSON.stringify(value, null, blanks);
const list = fc
  .tuple(fc.array(item, { maxLength: 5 }), fc.constantFrom('', ' ', '\t'))
  .map(([items, blanks]) => spaced(items, blanks));
const goodList = fc.array(good, { maxLength: 5 }).map((items) => JSON.stringify(items));
const value = fc.oneof(
  { weight: 4, arbitrary: goodList },
  { weight: 2, arbitrary: list },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }).map((each) => JSON.stringify(each)) },
);
const dataName = fc.constantFrom('"data"', '"data" ', '"d\\u0061ta"', '"\\u0064\\u0061\\u0074\\u0061"');
const field = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(dataName, value) },
  { weight: 4, arbitrary: fc.constant(['"success"', 'true']) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ['"success":false,"errorCode"', '"E-2"'],
      ['"success"', 'false'],
      ['"success"', '1'],
      ['"errorCode"', '"E-1"'],
    ),
  },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('"message"', '"other"', '"dat"'), value) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      nasty.map((name) => JSON.stringify(name)),
      value,
    ),
  },
  { weight: 1, arbitrary: value.map((inner) => ['"nested"', `{"data":${inner},"more":[${inner}]}`]) },
);
const body = fc
  .tuple(fc.array(field, { minLength: 1, maxLength: 5 }), fc.constantFrom(':', ' : ', ':\n'), fc.boolean())
  .map(([fields, colon, isFine]) => {
    const texts = fields.map((parts) => parts.join(colon));
    return `{${(isFine ? ['"success":true', ...texts] : texts).join(',')}}`;
  });
/** What was good becomes something else. */
const damage: fc.Arbitrary<(text: string) => string | Buffer> = fc.oneof(
  { weight: 4, arbitrary: fc.constant((text: string) => text) },
  fc.nat().map((at) => (text: string) => text.slice(0, at % (text.length + 1))),
  fc
    .tuple(fc.nat(), fc.constantFrom(...'[]{},:"\\ 0\u00a0\u0001', ',,', '[]', '"data":['))
    .map(([at, what]) => (text: string) => {
      const place = at % (text.length + 1);
      return `${text.slice(0, place)}${what}${text.slice(place)}`;
    }),
  fc.nat().map((at) => (text: string) => {
    const place = at % (text.length + 1);
    return `${text.slice(0, place)}${text.slice(place + 1)}`;
  }),
  fc.constantFrom('}', ' x', '{}', ' \n').map((end) => (text: string) => text + end),
  fc.constant((text: string) => `[${text}]`),
  fc.constant((text: string) => `\ufeff${text}`),
  fc.tuple(fc.nat(), fc.constantFrom(0xff, 0xc3, 0xed)).map(([at, byte]) => (text: string) => {
    const bytes = Buffer.from(text);
    bytes[at % bytes.length] = byte;
    return bytes;
  }),
);

describe('a list that is read an item at a time', () => {
  test('comes to what it comes to as a whole, whatever was sent and however it was cut', () => {
    const kinds = new Map<string, number>();
    fc.assert(
      fc.property(
        body,
        damage,
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.constantFrom(200, 200, 200, 200, 400, 503),
        (text, spoil, cuts, status) => {
          const sent = spoil(text);
          const { outcome } = inPieces(cut(sent, cuts), status);
          expect(outcome).toEqual(asWhole(sent, status));
          const kind = outcome.kind === 'ok' ? 'ok' : outcome.reason;
          kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        },
      ),
      { numRuns: 1500 },
    );
    // A property that only ever meets one outcome proves little.
    for (const kind of ['ok', 'reply-not-json', 'reply-not-understood', 'refused', 'no-error-code'])
      expect([kind, (kinds.get(kind) ?? 0) > 5]).toEqual([kind, true]);
  });

  test('is cut off at every place', () => {
    const data = [{ externalAccountId: 'a"]}\\', more: [{ data: [1, '],['] }] }, { externalAccountId: 'b' }];
    const text = JSON.stringify({ success: true, data, message: 'done' });
    for (let at = 0; at <= text.length; at += 1) {
      const half = text.slice(0, at);
      expect(inPieces([Buffer.from(half)], 200).outcome).toEqual(asWhole(half, 200));
      expect(
        inPieces(
          [half, text.slice(at)].map((each) => Buffer.from(each)),
          200,
        ).outcome,
      ).toEqual(asWhole(text, 200));
    }
  });

  test.each([61, 62, 63, 200])('nests %i deep in an item', (deep) => {
    const nested = `${'['.repeat(deep)}${']'.repeat(deep)}`;
    const text = `{"success":true,"data":[{"externalAccountId":"a","more":${nested}}]}`;
    expect(inPieces(cut(text, [40, 90]), 200).outcome).toEqual(asWhole(text, 200));
  });

  test.each(['A,,B', ',A', 'A,', ',', 'A B', 'A,\u00a0', 'A]', 'A}', ' ', 'A , B ', 'A,5'])(
    'has gaps: %s',
    (items) => {
      const [one, other] = ['{"externalAccountId":"a"}', '{"externalAccountId":"b"}'];
      const text = `{"success":true,"data":[${items.replace('A', one).replace('B', other)}],"data2":[]}`;
      expect(inPieces([Buffer.from(text)], 200).outcome).toEqual(asWhole(text, 200));
    },
  );

  test('keeps nothing of the items, however many there are and however large one is', () => {
    const sizes: number[] = [];
    for (const items of [10, 10_000]) {
      const data = Array.from({ length: items }, (_, at) => ({ externalAccountId: `a${at}` }));
      const pieces = cut(JSON.stringify({ success: true, data }), [5, 50, 5000]);
      sizes.push(inPieces(pieces, 200).left.length);
    }
    expect(sizes).toEqual([26, 26]);
    const accountName = '{"data":['.repeat(400_000);
    const huge = JSON.stringify({
      success: true,
      data: [{ externalAccountId: 'a', payoutMethod: { accountName } }],
    });
    expect(inPieces(cut(huge, [1e6, 2e6, 3e6]), 200)).toEqual({
      outcome: asWhole(huge, 200),
      left: Buffer.from('{"success":true,"data":[]}'),
    });
  });

  test('is not taken for cut off where it cannot be put down', () => {
    const full = () => {
      throw new Error('the disk is full');
    };
    const reader = createListReader(listExternalAccounts, { begin: () => {}, take: full }, conceal);
    const left = reader.skim(Buffer.from('{"success":true,"data":[{"externalAccountId":"a"}]}'));
    const judge = () => callOutcome({ effect: 'read', reply: reader.reply }, replied(left, 200), context);
    expect(judge).toThrow('the disk is full');
  });
});
