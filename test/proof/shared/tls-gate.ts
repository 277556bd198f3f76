import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';

/** TLS at an address of this machine, in front of a port that only this machine reaches. What came in goes on, however late. */
export async function openTlsGate(
  address: string,
  certificate: { readonly key: string; readonly cert: string },
  port: number,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const open = new Set<Socket>();
  const server = createServer(certificate, (client) => {
    const behind = connect(port, '127.0.0.1');
    for (const socket of [client, behind]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => open.delete(socket));
    }
    client.on('close', () => behind.end());
    behind.on('close', () => client.destroy());
    client.pipe(behind);
    behind.pipe(client);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, address);
  await once(server, 'listening');
  return {
    url: `https://${address}:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
