import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { processesOfService } from '@plataforma/testing/world';
import { send } from './support/send.ts';
import { sharedWorld, type World } from './support/world.ts';

const startProcess = processesOfService({
  module: new URL('../src/service.ts', import.meta.url),
  start: 'startGateway',
  clientOf: (url) => url,
});

let world: World;
let bridge: Server;
let connections = 0;

/** Forwards connections to the database, but closes the second, third and fourth connection. */
function carry(caller: Socket): void {
  connections += 1;
  caller.on('error', () => undefined);
  if (connections > 1 && connections < 5) caller.destroy();
  else {
    const database = new URL(world.env.DATABASE_URL ?? '');
    const server = connect(Number(database.port), database.hostname);
    server.on('error', () => caller.destroy());
    caller.on('close', () => server.destroy());
    caller.pipe(server).pipe(caller);
  }
}

beforeAll(async () => {
  world = await sharedWorld();
  bridge = createServer(carry).listen(0, '127.0.0.1');
  await once(bridge, 'listening');
});
afterAll(async () => {
  bridge.close();
  await world.stop();
});

test('a gateway that loses its database during its start resumes later', async () => {
  const address = bridge.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const url = Object.assign(new URL(world.env.DATABASE_URL ?? ''), { host: `127.0.0.1:${port}` });
  // The first query, which reads the schema, uses the first connection and succeeds.
  const settings = { DATABASE_URL: url.href, MIGRATE_ON_START: 'false', LOG_LEVEL: 'warn' };

  const gateway = await startProcess({ ...world.env, ...settings });

  expect(gateway.output()).toContain(
    `the database at ${url.host}${url.pathname} does not answer; the start waits for it`,
  );
  await eventually(async () => expect((await send(`${gateway.url}/readyz`)).status).toBe(200));
  expect(await gateway.terminate()).toBe(0);
});
