import { describe, expect, test } from '@jest/globals';
import { clientOfToken, issueToken } from '../src/domain/access-token.ts';
import { newTxid, OTHER, problem, problemIn, SHOP, send, sharedBankWorld, tokenFor } from './bank.ts';
import { token } from './published-shapes.ts';

const bank = sharedBankWorld();

function ask(fields: Record<string, string>, authorization?: string) {
  return fetch(`${bank.url}/oauth/token`, {
    method: 'POST',
    headers: authorization === undefined ? {} : { authorization },
    body: new URLSearchParams(fields),
  });
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('POST /oauth/token', () => {
  test('a client gets a token with its credentials in the header', async () => {
    const answer = await ask({ grant_type: 'client_credentials' }, basic(`${SHOP.id}:${SHOP.secret}`));

    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(token.parse(await answer.json()).scope).toBe('cob.read cob.write pix.read pix.write');
  });

  test('a client gets a token with its credentials in the form', async () => {
    const credentials = { client_id: SHOP.id, client_secret: SHOP.secret };
    const answer = await ask({ grant_type: 'client_credentials', ...credentials });

    expect(token.safeParse(await answer.json()).success).toBe(true);
  });

  test.each([
    ['no credentials', undefined],
    ['a wrong secret', basic(`${SHOP.id}:${OTHER.secret}`)],
    ['an unknown client', basic(`nobody:${SHOP.secret}`)],
    ['a header without a colon', basic(SHOP.id)],
    ['another scheme', `Digest ${SHOP.id}`],
  ])('%s gets a 401', async (_case, authorization) => {
    const answer = await ask({ grant_type: 'client_credentials' }, authorization);

    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ error: 'invalid_client' });
  });

  test('another grant type is refused', async () => {
    const answer = await ask({ grant_type: 'password' }, basic(`${SHOP.id}:${SHOP.secret}`));

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'unsupported_grant_type' });
  });
});

describe('an access token', () => {
  const client = { ...SHOP, callbackUrl: 'http://localhost' };
  const clients = new Map([[client.id, client]]);
  const now = new Date('2026-01-01T00:00:00Z');
  const hourLater = new Date('2026-01-01T01:00:00Z');

  test('is valid for exactly an hour', () => {
    const issued = issueToken(client, now);

    expect(clientOfToken(issued, clients, new Date(hourLater.getTime() - 1))).toBe(client);
    expect(clientOfToken(issued, clients, hourLater)).toBeUndefined();
  });

  test('is invalid with another end, client or secret', () => {
    const [id, endsAt, mac] = issueToken(client, now).split('.');
    const others = new Map([[client.id, { ...client, secret: 'another secret' }]]);

    expect(clientOfToken(`${id}.${Number(endsAt) + 60}.${mac}`, clients, now)).toBeUndefined();
    expect(clientOfToken(`other.${endsAt}.${mac}`, clients, now)).toBeUndefined();
    expect(clientOfToken(`${id}.${endsAt}.${mac}`, others, now)).toBeUndefined();
  });

  test.each(['', 'Bearer', 'Bearer nonsense', 'Bearer shop.9999999999.x', 'Basic c2hvcDp4'])(
    'is missing or invalid in a request with %j',
    async (authorization) => {
      const url = `${bank.url}/v2/cob/${newTxid()}`;
      const answer = await send(url, { headers: authorization ? { authorization } : {} });

      expect(problemIn(answer)).toEqual(problem(401, 'AcessoNegado'));
    },
  );

  test.each([
    ['PUT', `/v2/cob/${newTxid()}`],
    ['PATCH', `/v2/cob/${newTxid()}`],
    ['GET', '/v2/pix?inicio=2020-01-01T00:00:00Z&fim=2020-01-02T00:00:00Z'],
    ['GET', '/v2/pix/E9999999920200101000012345678901'],
    ['PUT', '/v2/pix/E9999999920200101000012345678901/devolucao/1'],
    ['GET', '/v2/pix/E9999999920200101000012345678901/devolucao/1'],
  ])('is needed for %s %s', async (method, path) => {
    const answer = await send(bank.url + path, { method }, method === 'GET' ? undefined : {});

    expect(problemIn(answer)).toEqual(problem(401, 'AcessoNegado'));
  });

  test('of one receiver reads nothing of another', async () => {
    const txid = newTxid();
    const body = { valor: { original: '1.00' }, chave: SHOP.pixKey };
    await bank.call('PUT', `/v2/cob/${txid}`, body);

    const authorization = `Bearer ${await tokenFor(bank.url, OTHER)}`;
    const answer = await send(`${bank.url}/v2/cob/${txid}`, { headers: { authorization } });

    expect(problemIn(answer)).toEqual(problem(404, 'CobNaoEncontrado'));
  });
});
