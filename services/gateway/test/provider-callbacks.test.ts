import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { api, callbacks, probeOf } from '@plataforma/contracts';
import { type HttpServer, IDENTITY_HEADER, serveTo, startHttpServer } from '@plataforma/http';
import { createLog } from '@plataforma/observe';
import type { Request } from 'express';
import { startWorld, verifierOf, type World } from './support/world.ts';

const CARD = '4000 0000 0000 0010';

let charges: HttpServer;
let world: World;
const received: { who: string; secret: string; id: string | undefined }[] = [];

beforeAll(async () => {
  // A server in place of the charges service, with the same checks of the request. Its handler only records
  // the callback.
  charges = await startHttpServer({
    connectionLimit: null,
    log: createLog({ service: 'charges', level: 'silent' }),
    host: '127.0.0.1',
    port: 0,
    needs: {},
    mount(app) {
      const authenticate = (req: Request) => verifierOf('charges').verify(req.get(IDENTITY_HEADER));
      serveTo(app, callbacks.acquirerCallback, {
        authenticate,
        answer: async ({ params, body }, { issuer, identity }) => {
          received.push({ who: `${issuer} ${identity.kind}`, secret: params.secret, id: body.data?.id });
          return { data: { received: 1 } };
        },
      });
      serveTo(app, probeOf(callbacks.acquirerCallback), { authenticate, answer: async () => ({ data: {} }) });
    },
  });
  world = await startWorld({ settings: { CHARGES_URL: charges.url } });
});
beforeEach(() => void received.splice(0));
afterAll(async () => {
  await world.stop();
  await charges.stop();
});

const notice = (filler: number) => ({ data: { id: 'ch_1' }, filler: 'x'.repeat(filler) });
const post = (body: unknown, headers = {}) => world.post('/callbacks/acquirer/a-secret', body, headers);

describe('an acquirer’s callback', () => {
  test('is forwarded with its secret as anonymous, even with credentials', async () => {
    const { key } = await world.newKey(await world.newMerchant());

    const plain = await post(notice(0));
    const withKey = await post(notice(0), { 'x-api-key': key });
    const withToken = await post(notice(0), await world.operator());

    expect([plain, withKey, withToken].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(plain.json).toEqual({ success: true, data: { received: 1 } });
    expect(received).toEqual(
      Array.from({ length: 3 }, () => ({ who: 'gateway anonymous', secret: 'a-secret', id: 'ch_1' })),
    );
  });

  test('has the same limit of length as other bodies', async () => {
    const kibibyte = 1024;

    const fits = await post(notice(99 * kibibyte));
    const tooLong = await post(notice(101 * kibibyte));

    expect(fits.status).toBe(200);
    expect([tooLong.status, tooLong.json.error]).toEqual([
      413,
      { code: 'PAYLOAD_TOO_LARGE', message: 'body: must be at most 100 KiB' },
    ]);
    expect(received).toHaveLength(1);
  });

  test('needs its secret and a supported method', async () => {
    const without = await world.post('/callbacks/acquirer/', notice(0));
    const put = await world.call('/callbacks/acquirer/a-secret', { method: 'PUT' });

    expect([without.status, put.status, put.headers.allow]).toEqual([404, 405, 'POST, GET, HEAD']);
    expect(received).toEqual([]);
  });

  test.each(['', 'text/plain; charset=iso-8859-1', 'application/x-www-form-urlencoded'])(
    'is read as JSON under the Content-Type "%s"',
    async (type) => {
      const { status } = await post(notice(0), { 'content-type': type });

      expect(status).toBe(200);
      expect(received).toMatchObject([{ id: 'ch_1' }]);
    },
  );

  test.each(['GET', 'HEAD'])('may follow a successful %s of its address', async (method) => {
    const { status } = await fetch(`${world.gateway.url}/callbacks/acquirer/a-secret`, { method });

    expect([status, received]).toEqual([200, []]);
  });

  test('may contain numbers that pass a card number check', async () => {
    const { status } = await post({ data: { id: 'ch_1', acquirer_tid: '4000000000000010' } });

    expect(status).toBe(200);
    expect(received).toMatchObject([{ id: 'ch_1' }]);
  });
});

describe('a card number in a request to the gateway', () => {
  test.each(['companyName', 'email', 'password', 'anything'])(
    'in the registration field %s is refused and not stored',
    async (field) => {
      const { status, json, text } = await world.register({ [field]: `Loja ${CARD}` });

      expect([status, json.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(json.error?.message).toBe(
        `${field}: holds a card number; send the card to the tokenization endpoint and its token here`,
      );
      expect(text).not.toContain(CARD);
      const rows = await world.database.query("SELECT 1 FROM organizations WHERE company_name ~ '0000'");
      expect(rows).toEqual([]);
    },
  );

  test('is refused at every other route of the gateway', async () => {
    const merchant = await world.newMerchant();
    const operator = await world.operator();
    const body = { name: CARD };
    const routes = [
      [api.logIn.path, 'POST', {}],
      [api.refresh.path, 'POST', {}],
      [api.logOut.path, 'POST', merchant.bearer],
      [api.createApiKey.path, 'POST', merchant.bearer],
      [api.logInOperator.path, 'POST', {}],
      [`/v1/admin/merchants/${merchant.id}/approve`, 'POST', operator],
      [`/v1/admin/merchants/${merchant.id}/settings`, 'PATCH', operator],
    ] as const;

    for (const [path, method, headers] of routes) {
      const { json } = await world.call(path, { method, headers: { ...headers }, body });
      expect([path, json.error?.message]).toEqual([
        path,
        expect.stringMatching(/^name: holds a card number/),
      ]);
    }

    const account = await world.call(api.getAccount.path, { headers: merchant.bearer });
    expect(account.json.data).toMatchObject({ status: 'PENDING' });
  });

  test('is checked only after the caller is authenticated', async () => {
    expect(await world.post(api.createApiKey.path, { name: CARD })).toMatchObject({
      status: 401,
      code: 'UNAUTHORIZED',
    });
  });

  test('differs from a CNPJ that passes the same check', async () => {
    // A tenth of these CNPJs also pass the check of a card number.
    const cnpjs = Array.from({ length: 20 }, (_, index) => `3466538${String(index).padStart(7, '0')}`);

    const answers = await Promise.all(cnpjs.map((cnpj) => world.register({ cnpj })));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  });
});
