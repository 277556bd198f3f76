import type { Endpoint } from '../../service/contract/endpoint.ts';
import { type ErrorCode, failureOf } from '../../service/contract/error-codes.ts';

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onTheWay?: 'slow' | 'lost-reply' | undefined;
}

/** What a route says: an answer, or one of the failures of the table, with a message of its own where it helps. */
export type RouteResult =
  | {
      readonly ok: true;
      readonly body: Record<string, unknown>;
      /** What becomes of the answer on its way, as a test number orders. */
      readonly onTheWay?: 'slow' | 'lost-reply' | undefined;
    }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string };

export function answer(body: Record<string, unknown>): RouteResult {
  return { ok: true, body: { success: true, ...body } };
}

export function failure(code: ErrorCode, message: string = failureOf[code].message): RouteResult {
  return { ok: false, code, message };
}

export function invalid(message: string): RouteResult {
  return failure('VALIDATION_ERROR', `Validation error: ${message}`);
}

/** Puts a result into the form its endpoint has, including the odd ones of the specification. */
export function toReply(endpoint: Endpoint | undefined, result: RouteResult): Reply {
  if (result.ok) return { status: 200, body: result.body, onTheWay: result.onTheWay };
  const { status } = failureOf[result.code];
  return { status, body: failureBody(endpoint, status, result.message, result.code) };
}

export function failureBody(
  endpoint: Endpoint | undefined,
  status: number,
  message: string,
  errorCode: string,
): Record<string, unknown> {
  if (endpoint?.failureBody === 'empty' && status === 400) return {};
  if (endpoint?.failureBody === 'error-text') return { success: false, error: message };
  return { success: false, message, errorCode };
}
