import { Buffer } from 'node:buffer';
import type { ReplyBody } from './exchange.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What was kept of a reply that ended. */
export function textOf(chunks: readonly Buffer[]): ReplyBody {
  try {
    // Fails on bytes that are not UTF-8, and on more than a string can hold.
    const [whole] = chunks;
    const bytes = chunks.length === 1 && whole ? whole : Buffer.concat(chunks);
    return { ended: 'complete', text: utf8.decode(bytes) };
  } catch {
    return { ended: 'not-text' };
  }
}
