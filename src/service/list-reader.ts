import { Buffer, isUtf8 } from 'node:buffer';
import type * as z from 'zod';
import type { Conceal } from './conceal-secrets.ts';
import { deepestNesting, replyJson } from './reply-json.ts';

/** Who takes a list that may be too long to be held as one value. */
export interface ListTaker<Item> {
  /** The list begins, perhaps once more: then what was taken before is none of it. */
  begin(): void;
  take(items: readonly Item[]): void;
}

/** Where a reply is not what the contract says. */
export interface Fault {
  readonly issues: readonly { readonly path: readonly PropertyKey[] }[];
}

/**
 * Cuts the items out of the list in `data` as a reply arrives, and gives each to the taker. What is left of the reply is
 * judged like every other one, with an empty list in it; and whatever is wrong with an item is wrong with the reply, as if
 * it had been read as a whole.
 */
export function createListReader<Item>(
  schema: { readonly reply: z.ZodType; readonly item: z.ZodType<Item> },
  taker: ListTaker<Item>,
  conceal: Conceal,
) {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  /** The last text in the outermost object, as it is written, and whether what follows goes by the name of data. */
  let name = '';
  let isData = false;
  let isInList = false;
  let isBroken = false;
  /** Of the item that is under way. */
  let held: Buffer[] = [];
  let items: Item[] = [];
  let count = 0;
  let fault: Fault | undefined;
  let failure: { readonly error: unknown } | undefined;

  /** A disk that is full must not be taken for a connection that was lost. */
  function tell(what: () => void): void {
    try {
      if (!failure) what();
    } catch (error) {
      failure = { error };
    }
  }

  function beginList(): void {
    isInList = true;
    items = [];
    count = 0;
    fault = undefined;
    tell(() => taker.begin());
  }

  function endItem(end: Buffer, isLast: boolean): void {
    held.push(end);
    const bytes = held.length === 1 ? end : Buffer.concat(held);
    const text = bytes.toString('utf8');
    const isNone = isLast && count === 0 && /^[ \t\n\r]*$/.test(text);
    const json = isUtf8(bytes) ? replyJson(text, deepestNesting - aroundItem) : undefined;
    isBroken = !isNone && !json;
    // From here on everything is left as it is, behind a sign that no list can begin with.
    held = isBroken ? [Buffer.from('?'), bytes] : [];
    if (!json || fault) return;
    const fit = schema.item.safeParse(conceal(json.value, text));
    if (fit.success) items.push(fit.data);
    else fault = { issues: [{ path: ['data', count, ...(fit.error.issues[0]?.path ?? [])] }] };
    count += 1;
  }

  /** Takes the next piece of the reply, or its end, and gives what is left of it. */
  function skim(next?: Buffer): Buffer {
    const piece = next ?? Buffer.alloc(0);
    const left: Buffer[] = [];
    let from = 0;
    for (let at = 0; at < piece.length && !isBroken; at += 1) {
      const letter = piece[at];
      if (isInString) {
        if (depth === 1 && name.length < longestName) name += String.fromCharCode(letter ?? 0);
        if (isEscaped) isEscaped = false;
        else if (letter === backslash) isEscaped = true;
        else if (letter === quote) isInString = false;
      } else if (letter === quote) {
        isInString = true;
        if (depth === 1) name = '"';
      } else if (letter === openBracket || letter === openBrace) {
        depth += 1;
        if (depth === 2 && isData && letter === openBracket) {
          beginList();
          left.push(piece.subarray(from, at + 1));
          from = at + 1;
        }
      } else if (letter === closeBracket || letter === closeBrace) {
        depth -= 1;
        if (isInList && depth === 1) {
          endItem(piece.subarray(from, at), true);
          isInList = false;
          from = at;
        }
      } else if (letter === comma && isInList && depth === 2) {
        endItem(piece.subarray(from, at), false);
        from = at + 1;
      } else if (letter === comma && depth === 1) {
        isData = false;
      } else if (letter === colon && depth === 1) {
        isData = replyJson(name)?.value === 'data';
      }
    }
    const taken = items;
    items = [];
    if (taken.length > 0) tell(() => taker.take(taken));
    const rest = piece.subarray(from);
    if (isInList && !isBroken && next) held.push(rest);
    else left.push(...held.splice(0), rest);
    return Buffer.concat(left);
  }

  function safeParse(value: unknown) {
    if (failure) throw failure.error;
    const fit = schema.reply.safeParse(value);
    return fit.success && fault ? { success: false as const, error: fault } : fit;
  }

  return { skim, reply: { safeParse } };
}

/** `"data"`, with each of its letters written as six. */
const longestName = 26;

/** The reply and the list. */
const aroundItem = 2;

const [quote, comma, colon, backslash] = Buffer.from('",:\\');
const [openBracket, closeBracket, openBrace, closeBrace] = Buffer.from('[]{}');
