import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startBrowser, type Visit, visit } from '@plataforma/testing/browser';
import { newOperator, PASSWORD } from './support/factors.ts';
import { auditOf } from './support/operators.ts';
import { passkeysOf } from './support/passkeys.ts';
import { startWorld, type World } from './support/world.ts';

const GUIDE = fileURLToPath(new URL('../../../docs/operate/passkeys.md', import.meta.url));
const HTML = '<!doctype html><title>Operadores</title><link rel="icon" href="data:,">';

let world: World;
let browser: Awaited<ReturnType<typeof startBrowser>>;
let server: Server;
let opened: Visit;

/** Serves the script of the guide at `localhost`, and forwards the path of operators to the gateway. */
async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { url = '/', method = 'GET', headers } = req;
  if (url === '/passkeys.js') {
    const script = /```js\n([\s\S]*?)```/.exec(await readFile(GUIDE, 'utf8'))?.[1];
    res.setHeader('Content-Type', 'text/javascript').end(script);
  } else if (url.startsWith('/v1/admin/')) {
    const body = Buffer.concat(await req.toArray());
    const { authorization = '' } = headers;
    const forwarded = { 'content-type': 'application/json', authorization };
    const response = await fetch(`${world.gateway.url}${url}`, { method, headers: forwarded, body });
    res.writeHead(response.status, { 'Content-Type': 'application/json' }).end(await response.text());
  } else {
    res.setHeader('Content-Type', 'text/html').end(HTML);
  }
}

beforeAll(async () => {
  server = createServer((req, res) => void answer(req, res).catch((error: Error) => res.destroy(error)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  [world, browser] = await Promise.all([
    startWorld({ settings: { OPERATOR_ORIGINS: origin } }),
    startBrowser(),
  ]);
  opened = await visit(browser, { origin, refusals: [401] });
});
afterAll(async () => {
  await opened?.leave();
  await browser?.close();
  server?.close();
  await world?.stop();
});

const tokenIn = (answered: unknown): string => String(Object(Object(answered).data).accessToken);

test('a browser adds a passkey, logs in, confirms, and is refused with a copy of it', async () => {
  const own = await newOperator(world, { isEnrolled: true });
  const { page, context } = opened;
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await page.goto('/');
  /** Calls a function of the guide's script in the page. */
  const call = (name: string, ...args: string[]): Promise<unknown> =>
    page.evaluate(`import('/passkeys.js').then((script) => script.${name}(...${JSON.stringify(args)}))`);
  const { headers, email } = own;

  const added = await call('addPasskey', 'notebook', headers.authorization.replace('Bearer ', ''));
  const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
  const loggedIn = await call('logIn', email, PASSWORD);
  const confirmed = await call('confirm', tokenIn(loggedIn));

  expect(added).toMatchObject({ success: true, data: { name: 'notebook' } });
  expect([loggedIn, confirmed]).toMatchObject([{ success: true }, { success: true }]);
  const session = { headers: { authorization: `Bearer ${tokenIn(confirmed)}` } };
  expect(await passkeysOf(world).list(session)).toMatchObject([
    { name: 'notebook', lastUsedAt: expect.any(String) },
  ]);

  // The authenticator has used the passkey twice since then. The copy still has the earlier counter.
  const [{ credentialId = '', ...copy } = {}] = credentials;
  await devtools.send('WebAuthn.removeCredential', { authenticatorId, credentialId });
  const credential = { ...copy, credentialId } as (typeof credentials)[number];
  await devtools.send('WebAuthn.addCredential', { authenticatorId, credential });

  expect(await call('logIn', email, PASSWORD)).toMatchObject({ error: { code: 'INVALID_SECOND_FACTOR' } });
  expect((await auditOf(world, own.id)).map(({ action }) => action)).toEqual([
    'operator.add_passkey',
    'operator.refuse_passkey',
  ]);
});
