/** What happened to one HTTP exchange, as a value: the transport makes it, the classification reads it. */
export type Exchange = NoReply | Reply;

/** No status line came back. */
export interface NoReply {
  readonly kind: 'no-reply';
  /** Only `before-send` proves that no byte of the request left. */
  readonly phase: 'before-send' | 'after-send';
  readonly cause: 'error' | 'timed-out' | 'aborted' | 'closed' | 'too-late';
  readonly error?: unknown;
}

export interface Reply {
  readonly kind: 'reply';
  readonly status: number;
  /** Those that are read, with names in lower case; of a repeated header the first value. */
  readonly headers: Readonly<Partial<Record<ReadHeader, string>>>;
  readonly body: ReplyBody;
}

/** All that a reply's headers are asked for. */
export const readHeaders = ['content-encoding', 'content-length', 'retry-after'] as const;
type ReadHeader = (typeof readHeaders)[number];

/** Text only where all of it arrived and is UTF-8: half a body is never read. */
export type ReplyBody =
  | { readonly ended: 'complete'; readonly text: string }
  | { readonly ended: 'cut-off' | 'too-large' | 'timed-out' | 'aborted' | 'not-text' };
