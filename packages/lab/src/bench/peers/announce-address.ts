import { once } from 'node:events';
import type { Server } from 'node:http';

export async function announceAddress(server: Server): Promise<void> {
  // The process ends when the benchmark ends, even after a crash of the benchmark.
  process.once('disconnect', () => process.exit());
  server.keepAliveTimeout = 60_000;
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  process.send?.(`http://127.0.0.1:${address.port}`);
}
