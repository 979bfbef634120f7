import { createServer, type RequestListener, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { WAIT_TIMEOUT_MS } from '@plataforma/testing';
import { closingAfterEach } from '@plataforma/testing/fixtures';
import { createOutbound, type Outbound } from '../src/outbound.ts';
import { OutboundError } from '../src/outbound-error.ts';

const atTheEnd = closingAfterEach();

async function serving(listener: RequestListener): Promise<{ url: string; port: number; server: Server }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atTheEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { url: `http://127.0.0.1:${address.port}/hook`, port: address.port, server };
}

function outboundWith(options: Parameters<typeof createOutbound>[0]): Outbound {
  const outbound = createOutbound(options);
  atTheEnd(() => outbound.close());
  return outbound;
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((reason) => reason);
  return error instanceof OutboundError ? error.failure : `no failure of ours: ${String(error)}`;
}

const get = (url: string, timeoutMs = WAIT_TIMEOUT_MS) => ({ method: 'GET', url, timeoutMs }) as const;

describe('an exchange', () => {
  test('returns status, headers and body, and sends the exact request', async () => {
    const received: unknown[] = [];
    const { url } = await serving((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk) => chunks.push(chunk));
      req.on('end', () => {
        received.push(req.method, req.url, req.headers['x-one'], Buffer.concat(chunks).toString());
        res.writeHead(201, { 'X-Two': '2' }).end('fine');
      });
    });
    const outbound = outboundWith({ allowInsecure: true });
    const body = Buffer.from('{"ç":1}');

    const answer = await outbound.request({
      ...get(`${url}?a=b`),
      method: 'POST',
      headers: { 'X-One': '1' },
      body,
    });

    expect(answer).toMatchObject({ status: 201, isCut: false, body: Buffer.from('fine') });
    expect(answer.headers['x-two']).toBe('2');
    expect(received).toEqual(['POST', '/hook?a=b', '1', '{"ç":1}']);
  });

  test('does not follow a redirect', async () => {
    let requests = 0;
    const { url } = await serving((_req, res) => {
      requests += 1;
      res.writeHead(307, { Location: '/elsewhere' }).end();
    });

    const answer = await outboundWith({ allowInsecure: true }).request(get(url));

    expect([answer.status, requests]).toEqual([307, 1]);
  });

  test('reads a limited part of an endless body and disconnects', async () => {
    const { url, server } = await serving((_req, res) => {
      const chunk = Buffer.alloc(16_384, 'x');
      const pour = () => {
        while (!res.destroyed && res.write(chunk));
      };
      res.on('drain', pour).on('error', () => undefined);
      pour();
    });
    const isClosed = new Promise((resolve) =>
      server.on('connection', (socket) => socket.on('close', resolve)),
    );

    const answer = await outboundWith({ allowInsecure: true, maxBytes: 50_000 }).request(get(url));

    expect(answer).toMatchObject({ status: 200, isCut: true });
    expect(answer.body.length).toBe(50_000);
    await isClosed;
  });

  test('does not decompress', async () => {
    const packed = gzipSync(Buffer.alloc(1_000_000));
    const { url } = await serving((_req, res) =>
      res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(packed),
    );

    const answer = await outboundWith({ allowInsecure: true }).request(get(url));

    expect(answer.body).toEqual(packed);
  });

  test.each(['drips its body', 'drips its headers', 'never answers'])(
    'times out when the server %s',
    async (how) => {
      const { url } = await serving((req, res) => {
        const drip = (first: string) => {
          req.socket.write(first);
          const timer = setInterval(() => req.socket.write('x'), 20);
          req.socket.on('close', () => clearInterval(timer)).on('error', () => undefined);
        };
        if (how === 'never answers') return;
        if (how === 'drips its headers') return drip('HTTP/1.1 200 OK\r\nX-Slow: ');
        res.writeHead(200, { 'Content-Length': '100000' });
        res.flushHeaders();
        drip('');
      });
      const startedAt = performance.now();

      const failure = await failureOf(outboundWith({ allowInsecure: true }).request(get(url, 300)));

      expect(failure).toBe('timeout');
      // Without the deadline, undici would wait for five minutes, or for ever while the server sends slowly.
      expect(performance.now() - startedAt).toBeLessThan(WAIT_TIMEOUT_MS);
    },
  );

  test('is cut when informational answers never end', async () => {
    const { url } = await serving(({ socket }) => {
      const many = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000);
      const pour = () => {
        while (!socket.destroyed && socket.write(many));
      };
      socket.on('drain', pour).on('error', () => undefined);
      pour();
    });
    const outbound = outboundWith({ allowInsecure: true });

    expect(await failureOf(outbound.request(get(url, 30_000)))).toBe('invalid_answer');
  });

  test.each([
    ['100 Continue', ['HTTP/1.1 100 Continue\r\n\r\n']],
    ['100 of HTTP/1.0, with headers', ['HTTP/1.0 100 Go\r\nX-No: 1\r\n\r\n']],
    ['103, then 100', ['HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n']],
    ['100 in single bytes', [...'HTTP/1.1 100 Continue\r\n\r\n']],
  ])('skips %s on each exchange of a connection', async (_what, interim) => {
    let connections = 0;
    // This text is the body of the answer. It only looks like an interim answer.
    const body = 'HTTP/1.1 100 Continue\r\n\r\n';
    const { url, server } = await serving(async ({ socket }) => {
      socket.setNoDelay(true);
      for (const part of interim) {
        socket.write(part);
        await new Promise(setImmediate);
      }
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`);
      await new Promise(setImmediate);
      socket.write(body);
    });
    server.on('connection', () => (connections += 1));
    const outbound = outboundWith({ allowInsecure: true });

    for (let i = 0; i < 3; i += 1) {
      const answer = await outbound.request(get(url));
      expect([answer.status, answer.body.toString()]).toEqual([200, body]);
    }
    expect(connections).toBeLessThan(3);
  });

  test.each(['stalls', 'breaks off'])('with a body that %s returns its status if sufficient', async (how) => {
    const closed: Promise<unknown>[] = [];
    const { url } = await serving((req, res) => {
      closed.push(new Promise((resolve) => req.socket.on('close', resolve)));
      res.writeHead(200, { 'Content-Length': '100' });
      res.write('begun');
      if (how === 'breaks off') setImmediate(() => req.socket.end());
    });
    const request = { ...get(url, 500), isStatusEnough: true };

    const answer = await outboundWith({ allowInsecure: true }).request(request);

    expect(answer).toMatchObject({ status: 200, isCut: true, body: Buffer.from('begun') });
    await Promise.all(closed);
    const all = await failureOf(outboundWith({ allowInsecure: true }).request(get(url, 500)));
    expect(all).toBe(how === 'stalls' ? 'timeout' : 'connection_failed');
  });

  test.each([
    [10, 200],
    [11, 'invalid_answer'],
  ])('after %i informational answers gives %s', async (number, expected) => {
    const { url } = await serving((req) => {
      const informational = Array.from(
        { length: number },
        (_, i) => `HTTP/1.1 ${102 + (i % 2)} X\r\nX-No: 1\r\n\r\n`,
      );
      req.socket.write(
        `${informational.join('')}HTTP/1.1 200 OK\r\nX-Two: 2\r\nContent-Length: 4\r\n\r\nfine`,
      );
    });
    const pendingRequest = outboundWith({ allowInsecure: true }).request(get(url));

    if (expected !== 200) return expect(await failureOf(pendingRequest)).toBe(expected);
    const { status, headers, body } = await pendingRequest;
    expect([status, headers['x-no'], headers['x-two'], body.toString()]).toEqual([
      200,
      undefined,
      '2',
      'fine',
    ]);
  });

  test('times out during name resolution and sends nothing later', async () => {
    let requests = 0;
    const { port } = await serving((_req, res) => {
      requests += 1;
      res.end();
    });
    let find: (addresses: string[]) => void = () => undefined;
    const resolve = () => new Promise<string[]>((found) => (find = found));
    const outbound = outboundWith({ allowInsecure: true, resolve });

    const failure = await failureOf(outbound.request(get(`http://slow.example:${port}/`, 100)));
    find(['127.0.0.1']);
    await new Promise((passed) => setTimeout(passed, 100));

    expect([failure, requests]).toEqual(['timeout', 0]);
  });

  test('names the kind of failure', async () => {
    const { url } = await serving((req) => req.socket.destroy());
    const { url: plain } = await serving((_req, res) => res.end());
    const { url: babble } = await serving((req) => req.socket.end('hello\r\n\r\n'));
    const outbound = outboundWith({ allowInsecure: true, resolve: async () => [] });

    expect(await failureOf(outbound.request(get(url)))).toBe('connection_failed');
    expect(await failureOf(outbound.request(get('http://127.0.0.1:1/')))).toBe('connection_failed');
    expect(await failureOf(outbound.request(get(plain.replace('http:', 'https:'))))).toBe('tls_failed');
    expect(await failureOf(outbound.request(get(babble)))).toBe('invalid_answer');
    expect(await failureOf(outbound.request(get('http://nowhere.example/')))).toBe('name_unresolved');
  });

  test('reuses connections to the same host', async () => {
    const { url, server } = await serving((_req, res) => res.end('ok'));
    let connections = 0;
    server.on('connection', () => (connections += 1));
    const outbound = outboundWith({ allowInsecure: true });

    for (let i = 0; i < 20; i += 1) await outbound.request(get(url));

    expect(connections).toBeLessThanOrEqual(2);
  });

  test('ignores a proxy from the environment', async () => {
    const { url } = await serving((_req, res) => res.end('direct'));
    process.env.HTTP_PROXY = 'http://127.0.0.1:1';
    atTheEnd(() => delete process.env.HTTP_PROXY);

    const answer = await outboundWith({ allowInsecure: true }).request(get(url));

    expect(answer.body.toString()).toBe('direct');
  });

  test('is cancelled when the outbound client closes', async () => {
    const arrived = Promise.withResolvers<void>();
    const { url } = await serving(() => arrived.resolve());
    const outbound = createOutbound({ allowInsecure: true });
    const running = failureOf(outbound.request(get(url, WAIT_TIMEOUT_MS)));
    await arrived.promise;

    await outbound.close();

    expect(await running).toBe('cancelled');
  });
});
