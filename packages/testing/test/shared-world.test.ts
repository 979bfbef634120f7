import { afterEach, expect, jest, test } from '@jest/globals';
import type { Running } from '@plataforma/service';
import { startLoopback } from '../src/index.ts';
import { openTestDatabase, shareWorld } from '../src/world/index.ts';

const stopped: string[] = [];

afterEach(async () => {
  await globalThis.sharedWorld?.stop();
  globalThis.sharedWorld = undefined;
  stopped.length = 0;
});

const part = (name: string) => ({ stop: async () => void stopped.push(name) });

let breaches = 0;
let isReady = true;

async function startWorld(name: string) {
  const { database } = await openTestDatabase();
  await database.queryUnprepared('CREATE TABLE dead_letters (id integer)', []);
  await database.queryUnprepared('CREATE TABLE stops (started_at timestamptz)', []);
  const service = await startLoopback(
    async (_request, response) => void response.writeHead(isReady ? 200 : 503).end(),
  );
  return {
    database,
    first: service,
    startReplica: async () => part('replica'),
    stopFirst: (_running: Running) => undefined,
    checkFakes() {
      if (breaches > 0) throw new Error('a fake received a request that it does not allow');
    },
    async stop() {
      await service.stop();
      await database.close();
      stopped.push(name);
    },
  };
}

const share = (name = 'one') => shareWorld({ name, start: () => startWorld(name) });

test('the next file gets the same world after a cleanup', async () => {
  const [first, resets] = [await share(), [] as string[]];
  await first.startReplica();
  first.stopFirst(part('fake'));

  await first.stop();
  const reset = async () => void resets.push('reset');
  const second = await shareWorld({ name: 'one', start: () => startWorld('two'), reset });

  expect(stopped.toSorted()).toEqual(['fake', 'replica']);
  expect(second.first.url).toBe(first.first.url);
  expect(resets).toEqual(['reset']);
});

test('a file with another world ends the previous world', async () => {
  await share('one');

  await share('another');

  expect(stopped).toEqual(['one']);
});

test.each(['INSERT INTO dead_letters VALUES (1)', 'INSERT INTO stops VALUES (NULL)'])(
  'the next file gets a new world after %s',
  async (left) => {
    const { database, first } = await share();
    await database.queryUnprepared(left, []);

    expect((await share()).first.url).not.toBe(first.url);
    expect(stopped).toEqual(['one']);
  },
);

test('an unready service gives the next file a new world', async () => {
  const { first } = await share();
  isReady = false;

  const second = await share();
  isReady = true;

  expect(second.first.url).not.toBe(first.url);
});

test('a world whose stop fails is replaced and reported', async () => {
  const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const start = async () => ({
    ...(await startWorld('one')),
    stop: () => Promise.reject(new Error('stuck')),
  });
  const { first, database } = await shareWorld({ name: 'one', start });

  await share('another');

  expect(said).toHaveBeenCalledWith('shared world stop failed: Error: stuck\n');
  said.mockRestore();
  await Promise.all([first.stop(), database.close()]);
});

test('a file that misuses a fake fails', async () => {
  const world = await share();
  breaches = 1;

  await expect(world.stop()).rejects.toThrow('does not allow');
  breaches = 0;
});
