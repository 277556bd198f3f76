export interface CleanText {
  readonly text: string;
  /** Zero-width or direction marks were in it: what was seen on screen is not what the cell held. */
  readonly hidden: boolean;
  /** A control character or half a character is left: the cell cannot be trusted. */
  readonly control: boolean;
}

/** One blank between words, nothing invisible, composed letters: the form in which cells are read and compared. */
export function cleanText(raw: string): CleanText {
  if (alreadyClean.test(raw)) return { text: raw, hidden: false, control: false };
  const seen = raw.replace(hiddenCharacters, '');
  // Composed last: a mark taken out from between a letter and its accent would leave them apart.
  const text = seen.replace(blanks, ' ').trim().normalize('NFC');
  return { text, hidden: seen.length !== raw.length, control: controlCharacter.test(text) };
}

const alreadyClean = /^(?:[\x21-\x7e]+(?: [\x21-\x7e]+)*)?$/;
const hiddenCharacters = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Beyond what JavaScript calls white space: the next-line control and the blank Braille pattern. */
const blanks = /[\s\u0085\u2800]+/gu;
const controlCharacter = /[\p{Cc}\p{Cs}]/u;
