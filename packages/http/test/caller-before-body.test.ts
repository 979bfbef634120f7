import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { echo, newKeyPair, sendRaw, serving, trusting } from '@plataforma/testing/fixtures';
import { z } from 'zod';
import {
  createSigner,
  createVerifier,
  type HttpServer,
  IDENTITY_HEADER,
  serve,
  serveCallback,
  serveTo,
} from '../src/index.ts';

const gateway = newKeyPair();
const verifier = createVerifier('ledger', trusting({ gateway: gateway.publicKey }));
const identity = createSigner('gateway', gateway.privateKey).sign({ kind: 'anonymous' }, 'ledger');
const secret = 'known-to-the-provider-only';
const callback = {
  ...echo,
  path: '/v1/callbacks/:secret',
  params: z.object({ secret: z.string() }),
  body: z.object({}),
  fromProvider: true,
} as const;

let server: HttpServer;
let receivedRequest: IncomingMessage | undefined;
let answered = 0;
const lookup = Promise.withResolvers<void>();

beforeAll(async () => {
  const answer = async () => {
    answered += 1;
    return { data: { amount: 1 } };
  };
  server = await serving((app) => {
    serve(app, echo, { verifier, answer });
    serveCallback(app, callback, { verifier, secrets: [secret], answer });
    const slow = { ...echo, path: '/v1/slow', params: z.object({}), body: z.object({}) };
    serveTo(app, slow, {
      authenticate: (req) => {
        receivedRequest = req;
        return lookup.promise;
      },
      answer,
    });
  });
});
afterAll(() => server.stop());

/** Returns the head of a JSON request whose body never arrives completely. */
function headOf(path: string, header = ''): string {
  const about = 'Content-Type: application/json\r\nContent-Length: 50000\r\nConnection: close';
  return `POST ${path} HTTP/1.1\r\nHost: x\r\n${header}${about}\r\n\r\n{"amount":`;
}

const anonymous = `${IDENTITY_HEADER}: ${identity}\r\n`;

describe('a caller without valid credentials', () => {
  test.each([
    ['at a merchant’s endpoint', headOf('/v1/echo/1'), '401'],
    ['at a callback, without the gateway’s token', headOf(`/v1/callbacks/${secret}`), '401'],
    ['at a callback, with a wrong secret', headOf('/v1/callbacks/guessed', anonymous), '404'],
  ])('is refused before the body arrives %s', async (_where, bytes, status) => {
    expect(await sendRaw(server.port, bytes)).toContain(`HTTP/1.1 ${status} `);
    expect(answered).toBe(0);
  });
});

test('a hang-up during authentication does not count as an empty body', async () => {
  const socket = connect(server.port, '127.0.0.1', () => socket.write(headOf('/v1/slow')));
  await eventually(() => expect(receivedRequest).toBeDefined());

  socket.destroy();
  await eventually(() => expect(receivedRequest?.destroyed).toBe(true));
  lookup.resolve();
  await sendRaw(server.port, headOf('/v1/echo/1'));

  expect(answered).toBe(0);
});
