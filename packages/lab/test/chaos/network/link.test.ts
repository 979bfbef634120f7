import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { type Link, openLink } from '../../../src/chaos/network/link.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Starts a server that returns the received text in capital letters, and opens a link to it. */
async function setUp() {
  const received: string[] = [];
  const connections: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (piece) => {
      received.push(piece.toString());
      socket.write(piece.toString().toUpperCase());
    });
    socket.on('end', () => socket.end('BYE'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  const link = await openLink({ name: 'a → b', kind: 'service', targetPort: address.port });
  closing.push(
    () => server.close(),
    () => link.stop(),
  );
  return { link, received, connections };
}

/** Connects to a link. Returns the socket, the text that it receives and how its connection ended. */
function call(link: Link) {
  const socket = connect({ port: link.port, host: '127.0.0.1', allowHalfOpen: true });
  const inbound = { text: '', end: 'open' };
  socket.on('data', (piece) => {
    inbound.text += piece.toString();
  });
  socket.on('error', (error) => {
    inbound.end = 'code' in error ? String(error.code) : error.message;
  });
  socket.on('end', () => {
    inbound.end = 'ended';
  });
  closing.push(() => socket.destroy());
  return { socket, inbound };
}

/** Returns an open connection after one request and its response. */
async function talk(link: Link) {
  const caller = call(link);
  caller.socket.write('hello');
  await eventually(() => expect(caller.inbound.text).toBe('HELLO'));
  return caller;
}

describe('a link', () => {
  test('forwards data and its end in both directions', async () => {
    const { link } = await setUp();
    const { socket, inbound } = await talk(link);

    socket.end();

    await eventually(() => expect(inbound).toEqual({ text: 'HELLOBYE', end: 'ended' }));
  });

  test('forwards much data to a slow caller', async () => {
    const { link, connections } = await setUp();
    const { socket, inbound } = await talk(link);
    const flood = 'x'.repeat(20_000_000);

    socket.pause();
    connections[0]?.write(flood);
    await new Promise(setImmediate);
    socket.resume();

    await eventually(() => expect(inbound.text.length).toBe(flood.length + 5));
  });

  test('forwards a reset as a reset', async () => {
    const { link, connections } = await setUp();
    const { inbound } = await talk(link);

    connections[0]?.resetAndDestroy();

    await eventually(() => expect(inbound.end).toBe('ECONNRESET'));
  });

  test('resets a caller when the target does not answer', async () => {
    const link = await openLink({ name: 'a → nobody', kind: 'service', targetPort: 1 });
    closing.push(() => link.stop());

    const { inbound } = call(link);

    await eventually(() => expect(inbound.end).toBe('ECONNRESET'));
  });

  test('delays data in both directions and in order', async () => {
    const { link, received } = await setUp();
    const { socket, inbound } = await talk(link);
    link.behave({ kind: 'delays', ms: 200 });

    const startedAt = performance.now();
    socket.write('one');
    await eventually(() => expect(inbound.text).toBe('HELLOONE'));
    const took = performance.now() - startedAt;
    socket.write('two');
    link.behave({ kind: 'passes' });
    socket.end('three');

    expect(took).toBeGreaterThan(395);
    await eventually(() => expect(inbound.end).toBe('ended'));
    expect(received.join('')).toBe('helloonetwothree');
  });

  test('that is cut resets all connections until it is restored', async () => {
    const { link } = await setUp();
    const open = await talk(link);

    link.behave({ kind: 'cuts' });
    const late = call(link);

    await eventually(() =>
      expect([open.inbound.end, late.inbound.end]).toEqual(['ECONNRESET', 'ECONNRESET']),
    );
    link.behave({ kind: 'passes' });
    await talk(link);
  });

  test('that is silent forwards nothing and leaves both sides open', async () => {
    const { link, received, connections } = await setUp();
    const [one, two] = [await talk(link), await talk(link)];
    link.behave({ kind: 'is silent' });

    one.socket.write('a secret');
    two.socket.resetAndDestroy();
    const three = call(link);
    three.socket.write('hello again');
    // A byte that the silent link wrongly forwarded would arrive while the test talks through a second link.
    const { link: other } = await setUp();
    await talk(other);

    expect(received).toEqual(['hello', 'hello']);
    expect(connections.map((socket) => socket.closed)).toEqual(connections.map(() => false));
    expect([one.inbound.end, three.inbound.end]).toEqual(['open', 'open']);
    link.behave({ kind: 'passes' });
    await eventually(() => expect(one.inbound.text).toBe('HELLOA SECRET'));
    await eventually(() => expect(three.inbound.text).toBe('HELLO AGAIN'));
    await eventually(() => expect(connections[1]?.closed).toBe(true));
  });

  test('that loses answers forwards requests and resets the connection later', async () => {
    const { link, received } = await setUp();
    const { socket, inbound } = await talk(link);
    link.behave({ kind: 'loses answers' });

    socket.write('do it');

    await eventually(() => expect(received.join('')).toBe('hellodo it'));
    await talkInVain(link, received);
    expect(inbound).toEqual({ text: 'HELLO', end: 'open' });
    link.behave({ kind: 'passes' });
    await eventually(() => expect(inbound).toEqual({ text: 'HELLO', end: 'ECONNRESET' }));
    await talk(link);
  });
});

/**
 * Sends a further request on a new connection, and waits until the server has received it. A response to an
 * earlier request would have arrived by then.
 */
async function talkInVain(link: Link, received: readonly string[]) {
  const { socket } = call(link);
  socket.write('anybody?');
  await eventually(() => expect(received.join('')).toContain('anybody?'));
}
