import type { Sandbox } from '../../src/sandbox/start-sandbox.ts';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: replies are looked at field by field, whatever their form
  readonly body: any;
}

export interface SandboxCaller {
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  put(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  /** Below /_sandbox/, with the API key. */
  control(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Any request at all, as text. */
  raw(path: string, init: RequestInit): Promise<Response>;
}

/** Speaks to a sandbox with a token of its own. */
export async function callSandbox(
  sandbox: Pick<Sandbox, 'url' | 'apiKey' | 'publicKey'>,
): Promise<SandboxCaller> {
  const { url, apiKey, publicKey } = sandbox;
  const json = { 'content-type': 'application/json' };
  const read = async (response: Response): Promise<Answer> => ({
    status: response.status,
    body: await response.json(),
  });
  const exchange = await fetch(`${url}/api/b2b/auth/generate-bearer-token`, {
    method: 'POST',
    headers: { ...json, 'api-key': apiKey },
    body: JSON.stringify({ publicKey }),
  });
  const { token } = (await exchange.json()) as { token: string };
  const headers = { ...json, authorization: `Bearer ${token}` };
  const send = async (method: string, path: string, body?: unknown) =>
    read(
      await fetch(`${url}/api/b2b${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    delete: (path) => send('DELETE', path),
    control: async (method, path, body) =>
      read(
        await fetch(`${url}/_sandbox/${path}`, {
          method,
          headers: { ...json, 'api-key': apiKey },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      ),
    raw: (path, init) => fetch(`${url}${path}`, { ...init, headers: { ...headers, ...init.headers } }),
  };
}
