import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { freePort, freePorts } from '../src/ports.ts';

/** Returns the port that another process gets. */
const givenElsewhere = (wish: number, handed: number | null = null): number => {
  const script = `import { freePorts } from '${new URL('../src/ports.ts', import.meta.url).href}';
    console.log((await freePorts([${wish}], ${handed}))[0]);`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return Number(stdout);
};

test('ports that one process was given are given to no other until it ends', async () => {
  const [port = 0] = await freePorts([null]);

  const other = givenElsewhere(port);

  expect(other).toBeGreaterThan(0);
  expect(other).not.toBe(port);
  // The other process has ended, and its own process may have a port again.
  expect(await freePorts([port, other])).toEqual([port, other]);
});

test('a port handed to another process is given there, unless a server listens on it', async () => {
  const port = await freePort(null);

  expect(givenElsewhere(port, port)).toBe(port);

  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  expect(givenElsewhere(port, port)).not.toBe(port);
  server.close();
});

test('a port that another server listens on is not given, wished or not', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const taken = typeof address === 'object' ? (address?.port ?? 0) : 0;

  expect(await freePort(taken)).not.toBe(taken);
  server.close();
});
