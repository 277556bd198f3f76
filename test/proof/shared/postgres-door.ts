import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** When something is done to what passes: at which statement, or at which commit. */
export interface Strike {
  readonly at: number;
  readonly counts: 'statements' | 'commits';
  /** Before Postgres hears of it, or once it has answered and nobody was told. */
  readonly when: 'before' | 'after';
  /** Done while both sides wait; then the connection is gone. */
  readonly strike: () => Promise<void>;
}

export interface PostgresDoor {
  readonly port: number;
  /** What passed since the last time this was asked. */
  passed(): { readonly statements: number; readonly commits: number };
  /** Whether it has struck since it was told to, once that is over. */
  hasStruck(): Promise<boolean>;
  order(strike: Strike | undefined): void;
  close(): Promise<void>;
}

const query = 'Q'.charCodeAt(0);
const isCommit = /COMMIT\0$/;

/** A door in front of Postgres that reads along. payrun asks by plain statements, so a message is a statement. */
export async function openDoor(postgresPort: number): Promise<PostgresDoor> {
  const counts = { statements: 0, commits: 0 };
  let order: Strike | undefined;
  let struck = false;
  let striking = Promise.resolve();
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const postgres = connect(postgresPort, '127.0.0.1');
    for (const socket of [client, postgres]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => open.delete(socket));
    }
    client.on('close', () => postgres.destroy());
    postgres.on('close', () => client.destroy());
    let isSilenced = false;
    postgres.on('data', (bytes) => {
      if (!isSilenced) client.write(bytes);
    });
    let pending = Buffer.alloc(0);
    let hasGreeted = false;
    client.on('data', (bytes) => {
      pending = Buffer.concat([pending, bytes]);
      for (;;) {
        const head = hasGreeted ? 1 : 0;
        if (pending.length < head + 4) return;
        const length = head + pending.readInt32BE(head);
        if (pending.length < length) return;
        const message = pending.subarray(0, length);
        pending = pending.subarray(length);
        const isStatement = hasGreeted && message[0] === query;
        hasGreeted = true;
        if (isStatement && isStruck(message)) {
          isSilenced = true;
          striking = carryOut(message);
          return;
        }
        postgres.write(message);
      }
    });

    function isStruck(message: Buffer): boolean {
      counts.statements += 1;
      const commits = isCommit.test(message.subarray(-12).toString('latin1'));
      if (commits) counts.commits += 1;
      if (!order || struck || counts[order.counts] !== order.at || (order.counts === 'commits' && !commits))
        return false;
      struck = true;
      return true;
    }

    async function carryOut(message: Buffer): Promise<void> {
      if (order?.when === 'after') {
        postgres.write(message);
        await once(postgres, 'data').catch(() => undefined);
      }
      await order?.strike();
      client.destroy();
      postgres.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    passed() {
      const { statements, commits } = counts;
      counts.statements = 0;
      counts.commits = 0;
      return { statements, commits };
    },
    async hasStruck() {
      await striking;
      return struck;
    },
    order(strike) {
      order = strike;
      struck = false;
      counts.statements = 0;
      counts.commits = 0;
    },
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
