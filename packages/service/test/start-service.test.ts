import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { deadLetters } from '@plataforma/contracts';
import { listen } from '@plataforma/http';
import { ConfigError } from '@plataforma/kernel';
import { claimVhost, createTestDatabase, eventually, withDatabase } from '@plataforma/testing';
import { newKeyPair } from '@plataforma/testing/fixtures';
import { testRowKeys } from '@plataforma/testing/world';
import { type Call, calls, startReporting } from './support/reporting-service.ts';

const QUIET_MS = 500;

let env: Record<string, string>;
let url: string;
let openBefore: string[];

beforeAll(async () => {
  const [home, AMQP_URL] = [await createTestDatabase(), await claimVhost()];
  url = home.url;
  const server = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', MIGRATE_ON_START: 'true' };
  const keys = {
    ...{ SERVICE_KEY: newKeyPair().privateKey, TRUSTED_KEYS: '{}', EVENT_SIGNATURES: 'accept' },
    ROW_KEYS: testRowKeys,
  };
  env = { ...server, ...home.env, ...keys, AMQP_URL };
  // A connection that only one side has closed is still open, so the test waits until the list stays the
  // same.
  await eventually(async () => {
    const open = openNow();
    await sleep(QUIET_MS);
    expect(openNow()).toEqual(open);
  });
});

beforeEach(() => {
  openBefore = openNow();
});

/** Returns the open resources that keep this process alive: servers, connections and timers. */
const openNow = () => process.getActiveResourcesInfo().toSorted();

/**
 * Expects that no resource is open that was not open before the test. Resources of other test files in this
 * worker may close at any time.
 */
const leavesNothingOpen = () => eventually(() => expect(addedTo(openBefore, openNow())).toEqual([]));

function addedTo(before: readonly string[], now: readonly string[]): string[] {
  const earlier = [...before];
  return now.filter((what) => {
    const index = earlier.indexOf(what);
    if (index >= 0) earlier.splice(index, 1);
    return index < 0;
  });
}

/** Returns a port on which another server listens. */
async function takenPort() {
  const server = createServer();
  const { port } = await listen(server, '127.0.0.1', 0);
  return { port: String(port), free: () => new Promise((resolve) => server.close(resolve)) };
}

/** Records when each component begins and ends its stop. */
function recordStops() {
  const stopLog: string[] = [];
  const onStop = async (component: string) => {
    stopLog.push(`${component} stops`);
    await new Promise((resolve) => setTimeout(resolve, 10));
    stopLog.push(`${component} has stopped`);
  };
  const stopped = () => stopLog.flatMap((what) => /(.*) stops$/.exec(what)?.[1] ?? []);
  return { stopLog, onStop, stopped };
}

const everything = ['second job', 'first job', 'sender', 'client'];

describe('a start that fails', () => {
  test.each<[Call, string[]]>([
    ['build', ['client']],
    ['apply', ['sender', 'client']],
    ['first job', ['sender', 'client']],
    ['second job', ['first job', 'sender', 'client']],
    ['servers', everything],
    ['internal routes', everything],
    ['main routes', everything],
    ['gauges', everything],
  ])('at its %s stops the started components in reverse order', async (call, begun) => {
    const { onStop, stopped } = recordStops();
    const onCall = (now: Call) => {
      if (now === call) throw new Error(`no ${call}`);
    };

    await expect(startReporting({ env, onCall, onStop }).starting).rejects.toThrow(`no ${call}`);
    await leavesNothingOpen();

    expect(stopped()).toEqual(begun);
  });

  test.each(['PORT', 'METRICS_PORT'])('because its %s is in use stops all components', async (name) => {
    const { onStop, stopped } = recordStops();

    const taken = await takenPort();
    const { starting } = startReporting({ env: { ...env, [name]: taken.port }, onStop });
    await expect(starting).rejects.toThrow('EADDRINUSE');
    await taken.free();
    await leavesNothingOpen();

    expect(stopped()).toEqual(everything);
  });

  test('for its configuration or a migration has started nothing', async () => {
    const { onStop, stopped } = recordStops();
    const migration = { name: 'broken', sql: 'CREATE TABLE' };

    const misconfigured = startReporting({ env: { ...env, PORT: 'none' }, onStop });
    await expect(misconfigured.starting).rejects.toThrow(ConfigError);
    await expect(startReporting({ env, migration, onStop }).starting).rejects.toThrow('syntax error');
    await leavesNothingOpen();

    expect(stopped()).toEqual([]);
  });

  test('reports its first error despite later errors of the stop', async () => {
    const components: string[] = [];
    const onCall = (call: Call) => {
      if (call === 'gauges') throw new Error('the first');
    };
    const onStop = async (component: string) => {
      components.push(component);
      throw new Error(`the ${component} does not stop`);
    };

    await expect(startReporting({ env, onCall, onStop }).starting).rejects.toThrow('the first');
    await leavesNothingOpen();

    expect(components).toEqual(everything);
  });
});

describe('a start that is cancelled', () => {
  test.each<[Call, string[]]>([
    ['build', ['sender', 'client']],
    ['apply', ['sender', 'client']],
    ['first job', ['first job', 'sender', 'client']],
    ['second job', everything],
    ['servers', everything],
    ['internal routes', everything],
    ['main routes', everything],
    ['gauges', everything],
  ])('at its %s ends with that reason and stops its components', async (call, begun) => {
    const { onStop, stopped } = recordStops();
    const stopping = new AbortController();
    const reason = new Error('SIGTERM');
    const onCall = (now: Call) => {
      if (now === call) stopping.abort(reason);
    };

    const { starting } = startReporting({ env, stopping: stopping.signal, onCall, onStop });
    await expect(starting).rejects.toBe(reason);
    await leavesNothingOpen();

    expect(stopped()).toEqual(begun);
  });

  test('before it begins does nothing', async () => {
    const called: Call[] = [];
    const { onStop, stopped } = recordStops();
    const onCall = (call: Call) => void called.push(call);

    const { starting } = startReporting({ env, stopping: AbortSignal.abort(), onCall, onStop });

    await expect(starting).rejects.toMatchObject({ name: 'AbortError' });
    expect([...called, ...stopped()]).toEqual([]);
  });
});

describe('a running service', () => {
  test('starts its dependencies in order and serves on their listeners', async () => {
    const called: Call[] = [];
    const onCall = (call: Call) => void called.push(call);
    const service = await startReporting({ env, onCall }).starting;

    const own = await (await fetch(`${service.urlOf('internal')}/url`)).json();
    const list = deadLetters.ledger.list.path;
    const [atMain, atInternal] = await Promise.all([
      fetch(`${service.url}${list}`),
      fetch(`${service.urlOf('internal')}${list}`),
    ]);
    await service.stop();

    expect(called).toEqual(calls);
    expect(own).toBe(service.urlOf('internal'));
    expect([service.urlOf('main'), service.urlOf('absent')]).toEqual([service.url, service.url]);
    expect([atMain.status, atInternal.status]).toEqual([401, 404]);
  });

  test('stops all entry points together, then their dependencies', async () => {
    const { stopLog, onStop } = recordStops();

    const service = await startReporting({ env, onStop }).starting;
    await service.stop();
    await leavesNothingOpen();

    const entryPoints = ['second job', 'first job', 'sender'];
    expect(stopLog).toEqual([
      ...entryPoints.map((part) => `${part} stops`),
      ...entryPoints.map((part) => `${part} has stopped`),
      'client stops',
      'client has stopped',
    ]);
  });

  test('publishes events of requests that end during its stop', async () => {
    const { stopLog, onStop } = recordStops();
    const { starting, requestArrived, answer } = startReporting({ env, onStop });
    const service = await starting;
    await eventually(async () => {
      const ready = await (await fetch(`${service.url}/readyz`)).json();
      expect(ready).toMatchObject({ data: { database: 'ok', broker: 'ok' } });
    });
    const pending = fetch(`${service.url}/slow`, { method: 'POST' });
    await requestArrived;

    const stopping = service.stop();
    await eventually(() => expect(stopLog).toContain('first job has stopped'));
    expect(stopLog).not.toContain('client stops');
    answer();

    expect((await pending).status).toBe(200);
    await stopping;
    const { rows } = await withDatabase(url, (client) =>
      client.query('SELECT count(*)::int AS announced, count(published_at)::int AS published FROM outbox'),
    );
    expect(rows).toEqual([{ announced: 1, published: 1 }]);
  });

  test('stops all components although one fails, and reports it', async () => {
    const components: string[] = [];
    const onStop = async (component: string) => {
      components.push(component);
      if (component === 'first job') throw new Error('the first job does not stop');
    };

    const service = await startReporting({ env, onStop }).starting;
    await expect(service.stop()).rejects.toThrow('the first job does not stop');
    await leavesNothingOpen();

    expect(components).toEqual(everything);
  });
});
