/**
 * Whether a number that is shown in part may be a number of ours, in one of the forms in which it can be written. What is
 * visible must agree in its place where the lengths agree; else at the beginning and at the end. Undefined where
 * nothing of it is hidden: it can be compared as it is.
 */
export function agreesWithMask(shown: string, forms: readonly string[]): boolean | undefined {
  const mask = readMask(shown);
  return mask && forms.some((form) => agrees(mask, form));
}

interface Mask {
  /** Undefined stands for one that is hidden. */
  readonly signs: readonly (string | undefined)[];
  /** Dots stand for any number of signs. */
  readonly anyLength: boolean;
}

/** One X may be a letter of an account number; two in a row are a mask. */
const part = /([*•●∗#?_]+|x{2,})|(…|\.{2,})|([0-9a-z])/gi;

function readMask(shown: string): Mask | undefined {
  const signs: (string | undefined)[] = [];
  let anyLength = false;
  for (const [, hidden, dots, visible] of shown.matchAll(part)) {
    if (visible !== undefined) signs.push(visible.toUpperCase());
    else if (hidden !== undefined) for (const _ of hidden) signs.push(undefined);
    else if (dots !== undefined) {
      signs.push(undefined);
      anyLength = true;
    }
  }
  return signs.includes(undefined) ? { signs, anyLength } : undefined;
}

function agrees({ signs, anyLength }: Mask, form: string): boolean {
  if (!anyLength && signs.length === form.length) {
    return signs.every((sign, place) => sign === undefined || sign === form[place]);
  }
  const visible = signs.filter((sign) => sign !== undefined).length;
  const head = signs.slice(0, signs.indexOf(undefined)).join('');
  const tail = signs.slice(signs.lastIndexOf(undefined) + 1).join('');
  return visible <= form.length && form.startsWith(head) && form.endsWith(tail);
}
