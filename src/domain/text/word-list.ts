/** The words of a list that is written as one text, with commas between them. */
export function wordList(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}
