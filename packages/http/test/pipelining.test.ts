import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { serving, worldOfFile } from '@plataforma/testing/fixtures';

const begun: string[] = [];
const pending: ServerResponse[] = [];

const server = worldOfFile(() =>
  serving((app) => {
    app.get('/wait/:name', (req, res) => {
      begun.push(req.params.name);
      pending.push(res);
    });
  }),
);
beforeEach(() => {
  begun.length = 0;
  pending.length = 0;
});

/** Sends all requests in one packet. `text` returns all bytes that the connection has received. */
function pipeline(names: readonly string[]) {
  const received: Buffer[] = [];
  const socket = connect(server.port, '127.0.0.1');
  socket.on('data', (chunk) => received.push(chunk));
  socket.on('error', () => undefined);
  socket.write(names.map((name) => `GET /wait/${name} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  return { socket, text: () => Buffer.concat(received).toString() };
}

test('a pipelined request begins after the previous answer is sent', async () => {
  const { socket, text } = pipeline(['a', 'b', 'c']);
  for (const name of ['a', 'b', 'c']) {
    await eventually(() => expect(begun.at(-1)).toBe(name));
    expect(begun).toEqual(['a', 'b', 'c'].slice(0, begun.length));
    expect(pending).toHaveLength(begun.length);
    pending.at(-1)?.end(`answer ${name}`);
  }
  await eventually(() => expect(text()).toMatch(/answer a[\s\S]*answer b[\s\S]*answer c/));
  socket.destroy();
});

test('a pipelined request never begins after its connection closes', async () => {
  const first = pipeline(['a', 'b']);
  await eventually(() => expect(begun).toEqual(['a']));
  const closed = new Promise((resolve) => pending[0]?.once('close', resolve));
  first.socket.destroy();
  await closed;
  pending[0]?.end();

  // If the server had begun the request 'b', it would have done so before this request on another connection.
  const other = pipeline(['c']);
  await eventually(() => expect(begun).toContain('c'));
  pending.at(-1)?.end();
  expect(begun).toEqual(['a', 'c']);
  other.socket.destroy();
});

test('requests after an answer with Connection: close are ignored', async () => {
  const { socket, text } = pipeline(['a', 'b']);
  await eventually(() => expect(begun).toEqual(['a']));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  pending[0]?.setHeader('Connection', 'close');
  pending[0]?.end('answer a');
  await closed;

  // If the server had begun the request 'b', it would have done so before this request on another connection.
  const other = pipeline(['c']);
  await eventually(() => expect(begun).toContain('c'));
  pending.at(-1)?.end();
  expect([text().includes('answer a'), begun]).toEqual([true, ['a', 'c']]);
  other.socket.destroy();
});

test('a connection with too many waiting requests closes', async () => {
  const { socket } = pipeline(Array.from({ length: 200 }, (_, number) => String(number)));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await closed;
  expect(begun.length).toBeLessThanOrEqual(1);
});

test.each([
  ['three requests wait', Array.from({ length: 4 }, () => '')],
  ['a request with 101 headers waits', ['', 'X-A: b\r\n'.repeat(100)]],
  ['a request with a body waits', ['', 'Content-Length: 1\r\n']],
])('a connection on which %s closes', async (_what, heads) => {
  const socket = connect(server.port, '127.0.0.1');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined).resume();
  socket.write(heads.map((more) => `GET /wait/a HTTP/1.1\r\nHost: x\r\n${more}\r\n`).join(''));

  await closed;

  expect(begun).toEqual(['a']);
});

test('a request for a tunnel behind a running request closes the connection', async () => {
  const socket = connect(server.port, '127.0.0.1');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const received: Buffer[] = [];
  socket.on('error', () => undefined).on('data', (chunk) => received.push(chunk));
  socket.write('GET /wait/a HTTP/1.1\r\nHost: x\r\n\r\nCONNECT a:80 HTTP/1.1\r\nHost: x\r\n\r\n');

  await closed;

  expect(received).toEqual([]);
});

test('the parser stops in the middle of a packet with too many requests', async () => {
  let parsed = 0;
  const count = () => {
    parsed += 1;
  };
  subscribe('http.server.request.start', count);
  try {
    const { socket } = pipeline(Array.from({ length: 1_500 }, (_, index) => String(index)));
    await new Promise((resolve) => socket.once('close', resolve));
  } finally {
    unsubscribe('http.server.request.start', count);
  }
  expect(parsed).toBeLessThan(10);
  expect(begun).toEqual(['0']);
  // Node reuses the parser of a closed connection.
  const other = pipeline(['after']);
  await eventually(() => expect(begun).toContain('after'));
  pending.at(-1)?.end('answer');
  await eventually(() => expect(other.text()).toContain('answer'));
  other.socket.destroy();
});
