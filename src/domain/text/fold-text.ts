/** What is left of a word when case, marks, blanks and punctuation do not count: `Côte d’Ivoire` is `cotedivoire`. */
export function foldText(text: string): string {
  if (!plain.test(text)) return foldWords(text).join('');
  return text.toLowerCase().replace(ampersands, 'and').replace(otherThanLetters, '');
}

/** Most text is, and needs none of the costly steps. */
const plain = /^[\x20-\x7e]*$/;
const otherThanLetters = /[^a-z0-9]+/g;

/** The words of a text without case and marks; apostrophes do not part words, all other punctuation does. */
export function foldWords(text: string): string[] {
  return lettersAndBlanks.test(text) ? text.toLowerCase().split(' ') : foldAnyWords(text);
}

/** Most names are, and need no more than that. */
const lettersAndBlanks = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;

export function foldAnyWords(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(marksAndApostrophes, '')
    .toLowerCase()
    .replace(ampersands, ' and ')
    .split(betweenWords)
    .filter((word) => word !== '');
}

const marksAndApostrophes = /[\p{M}'’‘`´ʼ]/gu;
const ampersands = /&/g;
const betweenWords = /[^\p{L}\p{N}]+/u;
