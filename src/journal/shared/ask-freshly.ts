import type { Asked } from '../asked.ts';
import type { SharedJournal } from './shared-of.ts';

/**
 * Questions whose answer another machine may have changed lately are asked of a copy that has caught up a moment ago. In a
 * file there is nothing to catch up with.
 */
export function askFreshly<Verbs extends object, Name extends keyof Verbs>(
  shared: SharedJournal | undefined,
  verbs: Verbs,
  names: readonly Name[],
): Asked<Verbs> {
  if (!shared) return verbs as Asked<Verbs>;
  const fresh = names.map((name) => {
    const verb = verbs[name] as (...given: readonly unknown[]) => unknown;
    return [
      name,
      async (...given: readonly unknown[]) => {
        await shared.comeNear();
        return verb(...given);
      },
    ];
  });
  return { ...verbs, ...Object.fromEntries(fresh) } as Asked<Verbs>;
}
