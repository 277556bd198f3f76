import type { WorkedChunks } from '../pipeline/work-chunks.ts';

/** What a worker tells whoever watches it. */
export type WorkTold =
  /** It has found the journal, the service and its account. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'beat'; readonly doing: string }
  | { readonly kind: 'ended-others'; readonly count: number }
  | { readonly kind: 'took'; readonly batch: string; readonly chunks: readonly number[] }
  | ({ readonly kind: 'done'; readonly batch: string; readonly chunks: readonly number[] } & WorkedChunks);
