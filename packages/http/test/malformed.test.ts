import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { Refusal } from '@plataforma/kernel';
import { sendRaw, serving, worldOfFile } from '@plataforma/testing/fixtures';

let waiting = 0;

const server = worldOfFile(() =>
  serving((app) => {
    app.get('/waits', () => {
      waiting += 1;
    });
    app.post('/refuses', () => {
      throw new Refusal('unauthenticated', 'UNAUTHORIZED', 'who are you');
    });
  }),
);

/** Sends the first part, and sends the second part when the answer to the first arrives. */
function sendInTwo(first: string, second: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(first));
    let answer = '';
    socket.once('data', () => socket.write(second));
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    // The server may have closed the connection before the second part was sent.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

test.each([
  ['requests a tunnel', 'CONNECT elsewhere:80 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['sends invalid HTTP', 'GET HELLO\r\n\r\n'],
])('the connection of a caller that %s is cut', async (_what, bytes) => {
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined).resume();
  socket.write(bytes);
  // The test writes repeatedly, because a connection that the server has cut closes only at the next write.
  const writing = setInterval(() => socket.write('x'), 20);

  await closed;
  clearInterval(writing);
});

describe('a request', () => {
  test.each([
    ['is not HTTP', 'GET HELLO\r\n\r\n', '400 Bad Request', 'VALIDATION_ERROR'],
    ['has an unknown method', 'HELLO / HTTP/1.1\r\nHost: x\r\n\r\n', '501 ', 'NOT_IMPLEMENTED'],
    ['requests a tunnel', 'CONNECT elsewhere:80 HTTP/1.1\r\nHost: x\r\n\r\n', '405 ', 'METHOD_NOT_ALLOWED'],
    ['names no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', '400 ', 'VALIDATION_ERROR'],
  ])('that %s is answered in the usual envelope', async (_what, bytes, status, code) => {
    const answer = await sendRaw(server.port, bytes);

    const [head, body] = answer.split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status}`);
    expect(head).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    expect(JSON.parse(body ?? '')).toMatchObject({ success: false, error: { code } });
  });

  test('behind a request in progress gets no answer in its place', async () => {
    const first = 'GET /waits HTTP/1.1\r\nHost: x\r\n\r\n';

    const answer = await sendRaw(server.port, `${first}no HTTP\r\n\r\n`);

    expect([answer, waiting]).toEqual(['', 1]);
  });

  test.each([
    ['404', 'POST /nowhere'],
    ['401', 'POST /refuses'],
    ['400', 'GET /healthz'],
  ])('behind a %s with an unfinished body gets no answer', async (status, line) => {
    const head = `${line} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;

    const [atOnce, later] = await Promise.all([
      sendRaw(server.port, `${head}no chunk`),
      sendInTwo(head, 'no chunk'),
    ]);

    for (const answer of [atOnce, later]) expect(answer.match(/HTTP\/1\.1 \d+/g)).toHaveLength(1);
    expect(later).toContain(`HTTP/1.1 ${status} `);
  });

  test('may exceed the gateway’s limit of headers by its additions', async () => {
    const long = `X-Long: ${'x'.repeat(16 * 1024)}`;

    const answer = await sendRaw(
      server.port,
      `GET /healthz HTTP/1.1\r\nHost: x\r\n${long}\r\nConnection: close\r\n\r\n`,
    );

    expect(answer).toContain('HTTP/1.1 200 ');
  });

  test('with an unknown expectation is answered normally', async () => {
    const answer = await sendRaw(
      server.port,
      'GET /nowhere HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
    );

    expect(answer).toContain('HTTP/1.1 404');
    expect(answer).toContain('"NOT_FOUND"');
  });

  test.each(['/healthz', '/readyz'])('for %s with a body is refused and disconnected', async (path) => {
    const answer = await sendRaw(
      server.port,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx`,
    );

    expect(answer).toContain('HTTP/1.1 400 ');
    expect(answer).toContain('Connection: close');
    expect(answer).toContain(`body: ${path} takes none`);
  });
});
