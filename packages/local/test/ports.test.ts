import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { freePort, freePorts } from '../src/ports.ts';

/** Returns the port that another process gets if it wishes for `wish`. */
const givenElsewhere = (wish: number, handed: number | null = null): number => {
  const script = `import { freePorts } from '${new URL('../src/ports.ts', import.meta.url).href}';
    console.log((await freePorts([${wish}], ${handed}))[0]);`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return Number(stdout);
};

test('ports of one process go to no other before it ends', async () => {
  const [port = 0] = await freePorts([null]);

  const other = givenElsewhere(port);

  expect(other).toBeGreaterThan(0);
  expect(other).not.toBe(port);
  // Both ports are free. The process that got `other` has ended, and this process may take `port` again
  // because it reserved `port` itself.
  expect(await freePorts([port, other])).toEqual([port, other]);
});

test('a reserved port reaches another process unless a server uses it', async () => {
  const port = await freePort(null);

  expect(givenElsewhere(port, port)).toBe(port);

  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  expect(givenElsewhere(port, port)).not.toBe(port);
  server.close();
});

test('a port with a listening server is never chosen', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const taken = typeof address === 'object' ? (address?.port ?? 0) : 0;

  expect(await freePort(taken)).not.toBe(taken);
  server.close();
});
