/** Text of others in a line of ours: whoever wrote it begins no line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ');
}
