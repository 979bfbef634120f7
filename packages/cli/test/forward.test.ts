import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { type Loopback, startLoopback } from '@plataforma/testing';
import { forward } from '../src/listen/forward.ts';

const event = {
  id: '01939f2e-7d3b-7c51-9a54-0d2f6d0c4a11',
  event: 'charge.paid',
  data: {},
  createdAt: '2026-11-21T12:00:00.000Z',
  resourceId: '01939f2e-5a10-7e0b-8f3c-3f1f4f8f9b20',
  sequence: 1,
};

let shop: Loopback | undefined;
afterEach(() => shop?.stop());

const answers: [string, (response: ServerResponse) => unknown, number][] = [
  ['100 Continue, then 200', (response) => void response.writeContinue(() => response.end()), 200],
  ['103 and 102, then 401', (response) => respondAfterHints(response), 401],
  ['200 with a body that stalls', (response) => response.writeHead(200).write('begun'), 200],
  [
    'a redirect, which is not followed',
    (response) => response.writeHead(302, { location: '/on' }).end(),
    302,
  ],
];

function respondAfterHints(response: ServerResponse): void {
  response.writeEarlyHints({ link: '</a.css>; rel=preload' });
  response.writeProcessing();
  response.writeHead(401).end();
}

test.each(answers)('a shop that answers %s gets the event once', async (_answer, answer, status) => {
  const bodies: string[] = [];
  shop = await startLoopback(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    bodies.push(body);
    answer(response);
  });

  const forwarded = await forward(`${shop.url}/hook`, event, 'whsec_c2VjcmV0');

  expect(forwarded).toMatchObject({ status, failure: null });
  expect(bodies.map((body) => JSON.parse(body).eventId)).toEqual([event.id]);
});

test('a port without a listener is reported as ECONNREFUSED', async () => {
  shop = await startLoopback(async () => {});
  await shop.stop();
  const { url } = shop;
  shop = undefined;

  expect(await forward(url, event, 'whsec_c2VjcmV0')).toMatchObject({
    status: null,
    failure: 'ECONNREFUSED',
  });
});
