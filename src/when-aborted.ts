/**
 * Does something when a signal aborts, unless the function that it gives is called before. However many wait for one
 * signal, it has one listener: Node takes more than ten for a leak and says so on the terminal.
 */
export function whenAborted(signal: AbortSignal, act: () => void): () => void {
  const { acts, listener } = waiting.get(signal) ?? listenTo(signal);
  // One and the same function may be given twice.
  const mine = () => act();
  acts.add(mine);
  return () => {
    acts.delete(mine);
    if (acts.size > 0 || waiting.get(signal)?.acts !== acts) return;
    waiting.delete(signal);
    signal.removeEventListener('abort', listener);
  };
}

interface Waiting {
  readonly acts: Set<() => void>;
  readonly listener: () => void;
}

const waiting = new WeakMap<AbortSignal, Waiting>();

function listenTo(signal: AbortSignal): Waiting {
  const acts = new Set<() => void>();
  const listener = () => {
    waiting.delete(signal);
    for (const act of acts) act();
  };
  const all = { acts, listener };
  waiting.set(signal, all);
  signal.addEventListener('abort', listener, { once: true });
  return all;
}
