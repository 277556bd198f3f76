import { describe, expect, test } from 'vitest';
import { decidingName, nameVerdict, weighAnswer } from '../../../src/domain/names/name-evidence.ts';

const said = (name: string) => ({ kind: 'name', name }) as const;
const missing = { kind: 'no-account', name: '' } as const;
const unsupported = { kind: 'unsupported', name: '' } as const;

describe('what an answer is worth', () => {
  test('it decides where nothing was stored, or where it says another name than the stored ones', () => {
    for (const stored of [[], ['Brian Mwangi', 'B. Otieno']]) {
      const evidence = weighAnswer(said('AMINA OTIENO'), stored, undefined);
      expect(evidence).toMatchObject({ repeats: false, before: said('AMINA OTIENO') });
      expect(decidingName(evidence, false)).toEqual(said('AMINA OTIENO'));
    }
  });

  test('saying just what is stored, however it is written, it decides nothing', () => {
    const evidence = weighAnswer(said("N'GOZI  ADÉ"), ['Brian Mwangi', 'Ngozi Ade'], undefined);
    expect(decidingName(evidence, false)).toEqual({ kind: 'repeated', name: "N'GOZI  ADÉ" });
    expect(nameVerdict('Ngozi Ade', '+254712000001', decidingName(evidence, false)).verdict).toBe(
      'unchecked',
    );
    expect(decidingName(evidence, true)).toEqual(said("N'GOZI  ADÉ"));
  });

  test('what was said before decides over it: another name, or that there is no account', () => {
    for (const before of [said('FATUMA ABDI'), missing]) {
      const evidence = weighAnswer(said('AMINA OTIENO'), ['Amina Otieno'], before);
      expect(decidingName(evidence, true)).toEqual(before);
    }
  });

  test('a new name that is not a stored one takes the place of what was said before', () => {
    const evidence = weighAnswer(said('PETER NJOROGE'), ['Amina Otieno'], said('AMINA OTIENO'));
    expect(evidence).toMatchObject({ before: said('PETER NJOROGE'), differs: true });
  });

  test('a rail that cannot be asked leaves what was said before; an account that is gone does not', () => {
    expect(weighAnswer(unsupported, [], said('AMINA OTIENO'))).toMatchObject({
      before: said('AMINA OTIENO'),
    });
    expect(decidingName(weighAnswer(unsupported, [], said('AMINA OTIENO')), true)).toEqual(unsupported);
    expect(weighAnswer(missing, [], said('AMINA OTIENO'))).toMatchObject({ before: missing });
  });

  test('a placeholder is no other name: it shows no register', () => {
    expect(weighAnswer(said('OK'), ['Amina Otieno'], undefined).differs).toBe(false);
    expect(weighAnswer(said('AMINA OTIENO'), [], undefined).differs).toBe(false);
    expect(weighAnswer(said('FATUMA ABDI'), ['Amina Otieno'], undefined).differs).toBe(true);
  });
});
