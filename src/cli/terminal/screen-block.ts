export interface Screen {
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** Some lines at the end of the screen that are drawn over again; what is said meanwhile stands above them. */
export function createScreenBlock(screen: Screen) {
  let drawn: readonly string[] = [];

  const columns = () => Math.max(20, screen.columns ?? 80);

  /** A line that a narrower window has broken takes several. */
  function clear(): string {
    const height = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns())), 0);
    drawn = [];
    return height === 0 ? '' : `\x1b[${height}A\r\x1b[0J`;
  }

  return {
    columns,
    draw(lines: readonly string[]): void {
      const text = clear() + lines.map((line) => `${line}\n`).join('');
      drawn = lines;
      if (text !== '') screen.write(text);
    },
    /** Lines that stay. The block comes back with the next drawing. */
    say(text: string): void {
      screen.write(clear() + text);
    },
    /** Takes the block away. */
    end(): void {
      const text = clear();
      if (text !== '') screen.write(text);
    },
  };
}
