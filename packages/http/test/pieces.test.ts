import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { serving } from '@plataforma/testing/fixtures';
import { createCollector } from '../src/pieces.ts';

const BYTES = 60_000;

/** Sends a body in chunks of `size` bytes, and returns the answer when the connection has closed. */
function sendInChunks(port: number, size: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  const socket = connect(port, '127.0.0.1', () => {
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n');
    socket.write(`${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`.repeat(BYTES / size));
    socket.write('0\r\n\r\n');
  });
  socket.on('data', (data) => {
    text += data.toString();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => resolve(text));
  return promise;
}

test('a body in small chunks is read in few pieces', async () => {
  const counts = { pieces: 0 };
  const server = await serving((app) => {
    app.post('/', async (req, res) => {
      await eventually(() => expect(req.readableLength).toBeGreaterThan(8_000));
      // Each read of a paused stream returns one piece, so the reads count the pieces.
      const body = createCollector();
      req.on('data', (piece: Buffer) => {
        counts.pieces += 1;
        body.add(piece);
      });
      req.on('end', () => res.send(`${body.size} ${body.whole().toString() === 'x'.repeat(BYTES)}`));
    });
  });

  const answer = await sendInChunks(server.port, 40);
  await server.stop();

  expect(answer).toMatch(new RegExp(`${BYTES} true$`));
  expect(counts.pieces).toBeLessThan(BYTES / 1_000);
});

test.each([
  ['before it is answered', false],
  ['after it is answered', true],
])('a body in chunks of one byte is cut off %s', async (_, isAnswered) => {
  const counts = { pieces: 0, begun: 0 };
  const server = await serving((app) => {
    app.post('/', (req, res) => {
      counts.begun += 1;
      const push = req.push.bind(req);
      req.push = (piece, encoding) => {
        counts.pieces += 1;
        return push(piece, encoding);
      };
      if (isAnswered) res.status(401).end();
      else req.once('end', () => res.end());
      req.resume();
    });
  });

  await sendInChunks(server.port, 1);
  await sendInChunks(server.port, 40);
  await server.stop();

  expect(counts.begun).toBe(2);
  expect(counts.pieces).toBeLessThan(4_000);
});

test('a body of more than 8 MiB is cut off after its refusal', async () => {
  let received = 0;
  const server = await serving((app) => {
    app.post('/', (req, res) => {
      res.status(413).end();
      req.on('data', (piece: Buffer) => {
        received += piece.length;
      });
    });
  });
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const mebibyte = Buffer.alloc(1024 * 1024);
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${64 * mebibyte.length}\r\n\r\n`);
  for (let sent = 0; sent < 64; sent += 1) socket.write(mebibyte);
  await closed;
  await server.stop();

  expect(received).toBeGreaterThan(7 * mebibyte.length);
  expect(received).toBeLessThan(9 * mebibyte.length);
});

test('pieces of any size are collected in order', () => {
  const pieces = [1, 4_000, 0, 200, 50_000].map((size, at) => Buffer.alloc(size, at + 65));
  const collector = createCollector();
  for (const piece of pieces) collector.add(piece);

  expect(collector.whole()).toEqual(Buffer.concat(pieces));
});
