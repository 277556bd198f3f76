/** A text that makes a pattern try again and again: a long run of what it takes, and then something that it does not. */
export interface WorstText {
  readonly name: string;
  readonly of: (size: number) => string;
}

const signs = Array.from(' 01,."\'aAxéŋ-/\\([{\n\t+:=#_*&;|%@\u00a0\ufffd\u0301\u200b😀');
const pairs =
  '0 |0,|0.|1-|1/|a |a.|A |a-|a=|x0| ,|""|" |",|, |()|(a| in |{a|:a|&a|a/|+1|\r\n|a\n|KE:bank:|0e|.0|99,|000,|a1|xx0 |no of ';
const units = [...signs, ...pairs.split('|')];

export const worstTexts: readonly WorstText[] = units.flatMap((unit) => [
  repeated('', unit, ''),
  repeated('', unit, '\u0000'),
  repeated('', unit, ' '),
]);

/** The words of a pattern over and over, and a long run of each sign behind one of them. */
export function worstTextsOf(words: readonly string[]): readonly WorstText[] {
  return [
    ...words.flatMap((word) => [repeated('', word, '\u0000'), repeated('', `${word} `, '\u0000')]),
    ...words.slice(0, 3).flatMap((word) => signs.map((sign) => repeated(word, sign, '\u0000'))),
  ];
}

function repeated(before: string, unit: string, end: string): WorstText {
  const made = new Map<number, string>();
  const make = (size: number) => before + unit.repeat(Math.ceil(size / unit.length)) + end;
  return {
    name: [before, `${unit} repeated`, end].filter((part) => part !== '').join(', then '),
    of: (size) => {
      const text = made.get(size) ?? make(size);
      made.set(size, text);
      return text;
    },
  };
}
