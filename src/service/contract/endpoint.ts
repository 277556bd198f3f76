import type * as z from 'zod';

/**
 * What a call can do to money decides how it may be repeated: a read freely, a write by its caller's judgement,
 * a payout never without the rules of the ambiguous send.
 */
export type Effect = 'read' | 'write' | 'payout';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the prefix, with `{name}` for path parameters. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly effect: Effect;
  /** The token exchange carries the API key, everything else a bearer token. */
  readonly credential?: 'api-key';
  /** The simulate utility stands under the sandbox prefix whatever the configured one. */
  readonly sandboxOnly?: true;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodType<Record<string, unknown>>;
  readonly body?: z.ZodType<Record<string, unknown>>;
  readonly reply: z.ZodType;
  /** Of a list that may be long, what stands in its `data`: it can be read an item at a time. */
  readonly item?: z.ZodType;
  /** Larger replies than usual are expected here. */
  readonly replyLimitBytes?: number;
  /** The form of a failure where it is not the common envelope. */
  readonly failureBody?: 'empty' | 'error-text';
}

type Part<E, Key extends string> = E extends { readonly [K in Key]: infer Schema extends z.ZodType }
  ? { readonly [K in Key]: z.input<Schema> }
  : unknown;

export type RequestOf<E extends Endpoint> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>;
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>;
export type ItemOf<E extends Endpoint> = E extends { readonly item: infer Item extends z.ZodType }
  ? z.output<Item>
  : never;
