import { describe, expect, test } from '@jest/globals';
import { processesOf, scratchFolders } from '@plataforma/testing/scratch';
import { type PrivateServer, startPrivateBroker, startPrivatePostgres } from '../src/index.ts';

const scratchDir = scratchFolders();

describe.each<[string, (dir: string) => Promise<PrivateServer>]>([
  ['a private PostgreSQL', startPrivatePostgres],
  ['a private broker', startPrivateBroker],
])('%s', (_name, startServer) => {
  test('comes back at its address after it was killed', async () => {
    const dir = scratchDir();
    const server = await startServer(dir);
    const { url, pid } = server;

    await server.kill();
    expect(processesOf(dir)).not.toContain(pid);
    await server.start();

    expect(server.url).toBe(url);
    expect(server.pid).not.toBe(pid);
    await server.stop();
  });
});
