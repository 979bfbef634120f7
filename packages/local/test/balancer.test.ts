import { once } from 'node:events';
import { createServer as createHttpServer, request, type Server } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { closingAfterEach } from '@plataforma/testing/fixtures';
import { startBalancer } from '../src/balancer.ts';
import { eventually } from '../src/index.ts';
import { freePort } from '../src/ports.ts';

const atTheEnd = closingAfterEach();

async function startReplica(name: string) {
  const state = { isReady: true, checks: 0 };
  const server: Server = createHttpServer((req, res) => {
    if (req.url !== '/readyz') return void res.end(name);
    state.checks += 1;
    res.writeHead(state.isReady ? 200 : 503).end();
  });
  const port = await freePort(null);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const stop = async () => {
    server.close();
    server.closeAllConnections();
  };
  atTheEnd(stop);
  return { url: `http://127.0.0.1:${port}`, state, stop };
}

async function balanced(...urls: string[]) {
  const port = await freePort(null);
  const balancer = await startBalancer(port, urls);
  atTheEnd(() => balancer.stop());
  return port;
}

function whoAnswers(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request({ port, host: '127.0.0.1', agent: false }, (answer) => {
      answer.on('data', (name) => resolve(String(name))).on('error', reject);
    });
    call.on('error', reject).end();
  });
}

async function answersOf(port: number): Promise<string[]> {
  const names: string[] = [];
  for (let count = 0; count < 6; count += 1) names.push(await whoAnswers(port));
  return names;
}

describe('a balancer', () => {
  test('distributes new connections among the ready replicas only', async () => {
    const [one, two] = [await startReplica('one'), await startReplica('two')];
    const port = await balanced(one.url, two.url);

    // On a busy machine a readiness check may time out, and the replica then counts as not ready for a
    // moment.
    await eventually(async () =>
      expect((await answersOf(port)).toSorted()).toEqual(['one', 'one', 'one', 'two', 'two', 'two']),
    );
    two.state.isReady = false;
    await eventually(async () => expect(new Set(await answersOf(port))).toEqual(new Set(['one'])));
    two.state.isReady = true;

    await eventually(async () => expect(await answersOf(port)).toContain('two'));
  });

  test('passes a refused connection to the next replica', async () => {
    const [one, two] = [await startReplica('one'), await startReplica('two')];
    const port = await balanced(one.url, two.url);
    await eventually(() => expect(Math.min(one.state.checks, two.state.checks)).toBeGreaterThan(1));
    await two.stop();

    const answers = await answersOf(port);

    expect(new Set(answers)).toEqual(new Set(['one']));
  });

  test('tries unready replicas when no replica is ready', async () => {
    const one = await startReplica('one');
    one.state.isReady = false;
    const port = await balanced(one.url);
    await eventually(() => expect(one.state.checks).toBeGreaterThan(1));

    expect(await whoAnswers(port)).toBe('one');
    await one.stop();
    await expect(whoAnswers(port)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('forwards one side’s end while the other side continues', async () => {
    const upstream = createTcpServer({ allowHalfOpen: true }, (socket) => {
      const received: Buffer[] = [];
      socket.on('data', (chunk) => received.push(chunk));
      socket.on('end', () => socket.end(`received ${Buffer.concat(received).length}`));
    });
    const upstreamPort = await freePort(null);
    await once(upstream.listen(upstreamPort, '127.0.0.1'), 'listening');
    atTheEnd(() => upstream.close());
    const port = await balanced(`http://127.0.0.1:${upstreamPort}`);

    const caller = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const answer: Buffer[] = [];
    caller.on('data', (chunk) => answer.push(chunk));
    caller.end(Buffer.alloc(3_000_000));
    await once(caller, 'end');

    expect(Buffer.concat(answer).toString()).toBe('received 3000000');
  });

  test('forwards a connection reset', async () => {
    const upstream = createTcpServer((socket) => socket.resetAndDestroy());
    const upstreamPort = await freePort(null);
    await once(upstream.listen(upstreamPort, '127.0.0.1'), 'listening');
    atTheEnd(() => upstream.close());
    const port = await balanced(`http://127.0.0.1:${upstreamPort}`);

    await expect(whoAnswers(port)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});
