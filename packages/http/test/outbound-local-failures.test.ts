import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from '@jest/globals';
import { closingAfterEach } from '@plataforma/testing/fixtures';
import { createOutbound } from '../src/outbound.ts';
import { OutboundError } from '../src/outbound-error.ts';

type Options = Partial<Parameters<typeof createOutbound>[0]>;

const atTheEnd = closingAfterEach();

/** Sends a request, and returns the status of the answer or the failure. */
async function outcomeOf(url: string, { timeoutMs = 60_000, ...options }: Options & { timeoutMs?: number }) {
  const outbound = createOutbound({ allowInsecure: true, ...options });
  atTheEnd(() => outbound.close());
  try {
    return (await outbound.request({ method: 'GET', url, timeoutMs })).status;
  } catch (error) {
    return error instanceof OutboundError ? error.failure : String(error);
  }
}

describe('a failed connection', () => {
  const at = (code: string, address = '192.0.2.1') => Object.assign(new Error(code), { code, address });
  const v6 = '2001:db8::1';
  const outcomeAfter = (error: Error) =>
    outcomeOf('http://shop.example/', { openSocket: () => (_target, callback) => callback(error, null) });

  test.each(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'ENETDOWN', 'ENETUNREACH'])(
    'with %s is a local failure',
    async (code) => {
      expect(await outcomeAfter(at(code))).toBe('local_failure');
    },
  );

  test.each(['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH'])('with %s is a server failure', async (code) => {
    expect(await outcomeAfter(at(code))).toBe('connection_failed');
  });

  test.each([
    ['no route to either', [at('ENETUNREACH'), at('ENETUNREACH', v6)], 'local_failure'],
    ['no route, and no IPv6', [at('ENETUNREACH'), at('EHOSTUNREACH', v6)], 'local_failure'],
    ['no descriptors for either', [at('EMFILE', v6), at('EMFILE')], 'local_failure'],
    ['a refused connection, and no IPv6', [at('ECONNREFUSED'), at('ENETUNREACH', v6)], 'connection_failed'],
    ['a refused connection, and no descriptor', [at('ECONNREFUSED'), at('EMFILE')], 'connection_failed'],
    ['only IPv6 addresses, without a route', [at('ENETUNREACH', v6)], 'connection_failed'],
  ])('to several addresses: %s', async (_what, each, expected) => {
    expect(await outcomeAfter(new AggregateError(each))).toBe(expected);
    if (each[0] && each.length === 1) expect(await outcomeAfter(each[0])).toBe(expected);
  });
});

test('a name without a reachable name server is a local failure', async () => {
  const resolve = () => Promise.reject(new Error('no name server answers'));

  expect(await outcomeOf('http://shop.example/', { resolve })).toBe('local_failure');
});

const SERVER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { manner, moment, done } = workerData;
  const tell = () => Atomics.notify(done, 0, Atomics.store(done, 0, 1));
  const server = require('node:http').createServer().on(moment, (...given) => {
    parentPort.postMessage('asked');
    const manners = {
      answers: () => given[1].on('close', tell).end('ok', tell),
      'hangs up': () => {
        const socket = given[0].socket ?? given[0];
        if (socket.destroyed) tell();
        else socket.resetAndDestroy().on('close', tell);
      },
      'does not answer': tell,
    };
    setTimeout(manners[manner], 50);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

const TIMEOUT_MS = 500;

/**
 * Blocks this process until `pastMs` after the deadline of a request, while the server's thread continues.
 * Returns the outcome of the request. Starts again if the machine is so busy that the deadline passes before
 * the block.
 */
async function outcomeOfStandstill(manner: string, pastMs: number, isInHandshake = false) {
  for (;;) {
    const { outcome, isInTime } = await tryStandstill(manner, pastMs, isInHandshake);
    if (isInTime) return outcome;
  }
}

async function tryStandstill(manner: string, pastMs: number, isInHandshake: boolean) {
  const done = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { manner, moment: isInHandshake ? 'connection' : 'request', done };
  const server = new Worker(SERVER, { eval: true, workerData });
  atTheEnd(() => server.terminate());
  const [port] = await once(server, 'message');
  const url = `${isInHandshake ? 'https' : 'http'}://127.0.0.1:${port}/`;
  const deadline = performance.now() + TIMEOUT_MS;
  const pending = outcomeOf(url, { timeoutMs: TIMEOUT_MS });
  await once(server, 'message');
  const isInTime = performance.now() < deadline - TIMEOUT_MS / 2;
  const until = deadline + pastMs;
  // This wait gives the server's thread time to answer or to hang up before this process continues, even on a
  // busy machine.
  Atomics.wait(done, 0, 0, 60_000);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.max(0, until - performance.now()));
  return { outcome: await pending, isInTime };
}

describe('a process that paused past the deadline', () => {
  test.each([100, 1_200])('accepts an answer that arrived in the pause (%i ms past)', async (ms) => {
    expect(await outcomeOfStandstill('answers', ms)).toBe(200);
  });

  test.each([
    ['does not answer', false],
    ['hangs up', false],
    ['hangs up', true],
  ])('does not blame a server that %s (in the handshake: %s)', async (manner, isInHandshake) => {
    expect(await outcomeOfStandstill(manner, 1_200, isInHandshake)).toBe('local_failure');
  });

  test('blames a silent server only after a short pause', async () => {
    expect(await outcomeOfStandstill('does not answer', 100)).toBe('timeout');
  });
});
