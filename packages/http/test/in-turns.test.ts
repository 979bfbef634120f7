import { Agent, get } from 'node:http';
import { expect, test } from '@jest/globals';
import { serving } from '@plataforma/testing/parts';

/** As long as a request of a page takes a process. */
const WORK_MS = 2;
const CONNECTIONS = 200;

function work(): void {
  const endsAt = performance.now() + WORK_MS;
  while (performance.now() < endsAt);
}

test('a new connection of another address does not wait for all requests of one address', async () => {
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
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let isOver = false;
  const flood = Array.from({ length: CONNECTIONS }, async () => {
    while (!isOver) await ask(agent, '127.0.0.2');
  });
  while (served < 2 * CONNECTIONS) await ask(agent, '127.0.0.2');

  const other = new Agent({ maxSockets: 1 });
  const waits = [];
  for (let time = 0; time < 5; time += 1) {
    const before = served;
    await ask(other, '127.0.0.1');
    waits.push(served - before);
  }
  isOver = true;
  await Promise.all(flood);
  agent.destroy();
  await server.stop();

  expect(Math.min(...waits)).toBeLessThan(CONNECTIONS / 4);
});
