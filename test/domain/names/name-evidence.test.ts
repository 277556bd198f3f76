import { describe, expect, test } from 'vitest';
import {
  decidingName,
  isRegister,
  type NameEvidence,
  nameVerdict,
  weighAnswer,
} from '../../../src/domain/names/name-evidence.ts';

const said = (name: string) => ({ kind: 'name', name }) as const;
const missing = { kind: 'no-account', name: '' } as const;
const unsupported = { kind: 'unsupported', name: '' } as const;
const row = { accountName: 'Amina Otieno', number: '+254712000001' };
const yes = () => true;
const no = () => false;
const deciding = (evidence: NameEvidence, isTrusted: () => boolean, accountName = row.accountName) =>
  decidingName(evidence, isTrusted, { ...row, accountName });

describe('what an answer is worth', () => {
  test('it decides where nothing was stored, or where it says another name than the stored ones', () => {
    for (const stored of [[], ['Brian Mwangi', 'B. Otieno']]) {
      const evidence = weighAnswer(said('AMINA OTIENO'), stored, undefined);
      expect(evidence).toMatchObject({ repeats: 'nothing', before: said('AMINA OTIENO') });
      expect(deciding(evidence, no)).toEqual(said('AMINA OTIENO'));
    }
  });

  test('saying just what is stored, however it is written, it decides nothing', () => {
    const evidence = weighAnswer(said("N'GOZI  ADÉ"), ['Brian Mwangi', 'Ngozi Ade'], undefined);
    expect(deciding(evidence, no, 'Ngozi Ade')).toEqual({ kind: 'repeated', name: "N'GOZI  ADÉ" });
    expect(nameVerdict('Ngozi Ade', row.number, deciding(evidence, no)).verdict).toBe('unchecked');
    expect(deciding(evidence, yes, 'Ngozi Ade')).toEqual(said("N'GOZI  ADÉ"));
  });

  test.each([
    'OTIENO WANJIKU AMINA',
    'AMINA OTIENO',
    'MRS AMINA WANJIKU OTIENO',
    'Dr. Otieno, Amina',
    'AMINA W OTIENO',
    'A W OTIENO AMINA',
    'AMINA WANJIKU OTI',
    'AMINAWANJIKU OTIENO',
    'AMI NA OTIENO',
    'AMINA WANJIKO OTIENO',
    'AMINA OTIENO (M-PESA)',
    'CUSTOMER: AMINA OTIENO',
    'BI AMINA OTIENO',
    'AMINA OTIENO & BRIAN MWANGI',
  ])('made of nothing but the words of what is stored, it confirms nobody: %s', (answer) => {
    const evidence = weighAnswer(said(answer), ['Amina Wanjiku Otieno', 'Brian Mwangi'], undefined);
    expect(evidence).toMatchObject({ repeats: 'words', before: undefined, beyond: '' });
    expect(nameVerdict(row.accountName, row.number, deciding(evidence, no)).verdict).not.toBe('match');
  });

  test('what it says against the row stays said, though it is made of stored words', () => {
    const evidence = weighAnswer(said('AMINA WANJIKU'), ['Amina Wanjiku Otieno'], said('AMINA OTIENO'));
    expect(evidence).toMatchObject({ repeats: 'words', before: said('AMINA OTIENO') });
    expect(deciding(evidence, yes)).toEqual(said('AMINA WANJIKU'));
    expect(deciding(evidence, yes, 'Amina Wanjiku')).toEqual(said('AMINA OTIENO'));
  });

  test('what was said before decides over it: another name, or that there is no account', () => {
    for (const before of [said('FATUMA ABDI'), missing]) {
      for (const answer of ['AMINA OTIENO', 'OTIENO AMINA']) {
        expect(deciding(weighAnswer(said(answer), ['Amina Otieno'], before), yes)).toEqual(before);
      }
    }
  });

  test('a new name that is not a stored one takes the place of what was said before', () => {
    const evidence = weighAnswer(said('PETER NJOROGE'), ['Amina Otieno'], said('AMINA OTIENO'));
    expect(evidence).toMatchObject({ repeats: 'nothing', before: said('PETER NJOROGE') });
  });

  test('a rail that cannot be asked leaves what was said before; an account that is gone does not', () => {
    expect(weighAnswer(unsupported, [], said('AMINA OTIENO'))).toMatchObject({
      before: said('AMINA OTIENO'),
    });
    expect(deciding(weighAnswer(unsupported, [], said('AMINA OTIENO')), yes)).toEqual(unsupported);
    expect(weighAnswer(missing, [], said('AMINA OTIENO'))).toMatchObject({ before: missing });
  });
});

describe('a register of its own', () => {
  test('is shown by a name more than the stored one that the answer agrees with', () => {
    const evidence = weighAnswer(said('NJERI JANE WANJIKU'), ['Brian Mwangi', 'Jane Njeri'], undefined);
    expect(evidence).toMatchObject({ repeats: 'nothing', beyond: 'wanjiku' });
  });

  test.each([
    ['OK', ['Amina Otieno']],
    ['AMINA OTIENO', []],
    ['OTIENO AMINA', ['Amina Otieno']],
    ['FATUMA ABDI', ['Amina Otieno']],
    ['AMINA ABDI', ['Amina Otieno']],
    ['AMINA OTIENO', ['']],
  ])('is not shown by %s where %j is stored', (answer, stored) => {
    expect(weighAnswer(said(answer), stored, undefined).beyond).toBe('');
  });

  test('takes two of them, and not the same of both', () => {
    expect(isRegister(new Set())).toBe(false);
    expect(isRegister(new Set(['wanjiku']))).toBe(false);
    expect(isRegister(new Set(['wanjiku', 'auma']))).toBe(true);
  });
});
