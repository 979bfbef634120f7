import { expect, test } from '@jest/globals';
import { send } from '@plataforma/testing/fixtures';
import { ownBank } from './bank.ts';

const bank = ownBank({ PUBLIC_URL: 'http://bank.test:9000' });

// The API must refuse foreign host names. A foreign site can resolve its name to this machine, and its page
// then has the same origin as the API.
test.each([
  ['localhost', 200],
  ['127.0.0.1:9001', 200],
  ['bank.test:9001', 200],
  ['evil.test', 404],
  ['bank', 404],
])('the control API answers the host %s with %s', async (host, status) => {
  const answers = await Promise.all([
    send(`${bank.controlUrl}/control/faults`, { headers: { host } }),
    send(`${bank.controlUrl}/control/faults`, { method: 'DELETE', headers: { host } }),
  ]);

  expect(answers.map((answer) => answer.status)).toEqual([status, status]);
});

test.each([
  [undefined, 200],
  ['none', 200],
  ['same-origin', 200],
  ['same-site', 403],
  ['cross-site', 403],
])('a browser’s change from site %s is answered %s', async (site, status) => {
  const headers = site ? { 'sec-fetch-site': site } : {};

  const change = await send(`${bank.controlUrl}/control/faults`, { method: 'DELETE', headers });
  const read = await send(`${bank.controlUrl}/control/faults`, { headers });

  expect([change.status, read.status]).toEqual([status, 200]);
});

test.each([
  ['http://127.0.0.1:9001', 200],
  ['http://127.0.0.1:9002', 403],
  ['https://evil.test', 403],
  ['null', 403],
])('a browser’s change from origin %s is answered %s', async (origin, status) => {
  const headers = { origin, host: '127.0.0.1:9001' };

  const change = await send(`${bank.controlUrl}/control/faults`, { method: 'DELETE', headers });

  expect(change.status).toBe(status);
});

test('an id with a NUL is not found at both listeners', async () => {
  const paths = ['chargeback', 'undo-chargeback', 'refuse-refunds'].map((end) => `/control/cards/%00/${end}`);
  const control = paths.map((path) => send(bank.controlUrl + path, { method: 'POST' }));
  const answers = await Promise.all([...control, send(`${bank.url}/core/v5/orders/%00`, {})]);

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});
