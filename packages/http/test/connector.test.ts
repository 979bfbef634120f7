import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { LookupFunction } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Refusal } from '@plataforma/kernel';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { connectorToReplicas, createJsonClient } from '../src/index.ts';

const bound = z.object({ port: z.number() });
const LIVING = '127.0.0.1';
/** The address of a replica that has no listener. */
const DEAD = '127.0.0.2';
let server: Server;
let url: string;
let requestCount = 0;

beforeAll(async () => {
  server = createServer((_req, res) => {
    requestCount += 1;
    res.end('here');
  });
  await once(server.listen(0, LIVING), 'listening');
  url = `http://service.test:${bound.parse(server.address()).port}`;
});

afterAll(() => void server.close());

/**
 * Creates a connector that picks the replicas in turn, like a balancer that has not noticed a dead replica.
 */
function balancing(...replicas: string[]) {
  let tries = 0;
  const lookup: LookupFunction = (_name, _options, found) => {
    const address = replicas[Math.min(tries, replicas.length - 1)] ?? LIVING;
    tries += 1;
    found(null, [{ address, family: 4 }]);
  };
  return { dispatcher: new Agent({ connect: connectorToReplicas({ lookup }) }), tries: () => tries };
}

test('a connection to a dead replica is retried, the request sent once', async () => {
  const { dispatcher, tries } = balancing(DEAD, DEAD, LIVING);

  const { body } = await request(url, { dispatcher, method: 'POST' });

  expect([await body.text(), tries(), requestCount]).toEqual(['here', 3, 1]);
  await dispatcher.close();
});

test('a service that refuses every connection is unavailable', async () => {
  const { dispatcher, tries } = balancing(DEAD);

  await expect(request(url, { dispatcher })).rejects.toMatchObject({ code: 'ECONNREFUSED' });

  expect(tries()).toBe(5);
  await dispatcher.close();
});

test('a provider’s answer after 100 Continue is read', async () => {
  const provider = createServer((_req, res) => {
    res.writeContinue();
    res.writeHead(201).end('{"id":1}');
  });
  await once(provider.listen(0, LIVING), 'listening');
  const baseUrl = `http://${LIVING}:${bound.parse(provider.address()).port}`;
  const unanswered = () => new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'no answer');
  const exchange = createJsonClient({ baseUrl, timeoutMs: 5_000, unanswered });

  for (const path of ['/first', '/second'])
    expect(await exchange({ method: 'POST', path, headers: {}, body: '{}' })).toEqual({
      status: 201,
      body: { id: 1 },
    });
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));

  await expect(exchange({ method: 'POST', path: '/away', headers: {} })).rejects.toThrow('no answer');
});
