import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { serving } from '@plataforma/testing/fixtures';

/** The processor time that the handler of a page's request takes. */
const WORK_MS = 2;
const CONNECTIONS = 200;

function work(): void {
  const endsAt = performance.now() + WORK_MS;
  while (performance.now() < endsAt);
}

test.each([
  { what: 'all requests of one address', opened: 0, addresses: 1 },
  { what: 'the new connections of one address', opened: 500, addresses: 1 },
  { what: 'many addresses', opened: 0, addresses: CONNECTIONS },
])('a new connection of another address does not wait for $what', async ({ opened, addresses }) => {
  let served = 0;
  const server = await serving(
    (app) => {
      app.get('/work', (_req, res) => {
        work();
        served += 1;
        res.end();
      });
    },
    { connectionLimit: { perCaller: 1_000, callerOf: (address: string) => address } },
  );
  const ask = (agent: Agent, localAddress: string) =>
    new Promise<void>((resolve) => {
      get(`${server.url}/work`, { agent, localAddress }, (res) => res.resume().once('end', resolve)).on(
        'error',
        () => resolve(),
      );
    });
  // The agent has a separate pool of connections for each local address.
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let isOver = false;
  const flood = Array.from({ length: CONNECTIONS }, async (_, n) => {
    while (!isOver) await ask(agent, `127.0.1.${1 + (n % addresses)}`);
  });
  while (served < 2 * CONNECTIONS) await ask(agent, '127.0.1.1');

  const other = new Agent({ maxSockets: 1 });
  const waits = [];
  for (let time = 0; time < 5; time += 1) {
    const before = served;
    const idle = Array.from({ length: opened }, () =>
      connect({ port: server.port, host: '127.0.0.1', localAddress: '127.0.0.3' }).on(
        'error',
        () => undefined,
      ),
    );
    await ask(other, '127.0.0.1');
    waits.push(served - before);
    for (const socket of idle) socket.destroy();
  }
  isOver = true;
  await Promise.all(flood);
  agent.destroy();
  await server.stop();

  expect(Math.min(...waits)).toBeLessThan((CONNECTIONS + opened) / 4);
});
