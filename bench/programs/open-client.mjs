import { Pool } from 'undici';
import { headers } from './read-payroll.mjs';

/** Over undici: what the scripts and the queues have in common. */
export function openClient(origin, connections) {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const call = async (method, path, body) => {
    const reply = await pool.request({
      method,
      path: `/api/b2b${path}`,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return reply.body.json();
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    close: () => pool.close(),
  };
}
