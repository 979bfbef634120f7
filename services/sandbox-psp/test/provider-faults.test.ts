import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { SANDBOX_MERCHANT } from '@plataforma/service';
import { eventually, openMetricsScraper } from '@plataforma/testing';
import { beforeFile } from '@plataforma/testing/world';
import { startSandboxPsp } from '../src/service.ts';
import {
  askControl,
  bankOfFile,
  CARDS,
  control,
  newTxid,
  order,
  SHOP,
  send,
  startBank,
  tokenFor,
  wholeTruth,
} from './bank.ts';
import { callCards, orderBody, ordersOf, tokenize } from './cards.ts';

const SLOW_MS = 700;

const scraper = beforeFile(openMetricsScraper);
const bank = bankOfFile(() => startBank({ METRICS_PORT: String(scraper.port) }, { slowMs: SLOW_MS }));
let bearer: string;

beforeAll(async () => {
  bearer = `Bearer ${await tokenFor(bank.url, SHOP)}`;
});

const change = (merchantId: string, body: object) => control(bank, `weather/${merchantId}`, body);
const faultsOf = async (merchantId: string, { controlUrl }: { controlUrl: string } = bank) =>
  (await send(`${controlUrl}/control/weather/${merchantId}`, {})).body;

function callFor(merchantId: string, { url }: { url: string } = bank) {
  return (method: string, path: string, body?: unknown) => {
    const authorization = path.startsWith('/core/') ? `Basic ${btoa(`${CARDS.secretKey}:`)}` : bearer;
    return send(url + path, { method, headers: { authorization, [SANDBOX_MERCHANT]: merchantId } }, body);
  };
}

async function withFaults(body: object) {
  const merchantId = newId();
  await change(merchantId, body);
  return { merchantId, call: callFor(merchantId) };
}

const payout = { valor: '1.00', pagador: { chave: SHOP.pixKey }, favorecido: { chave: 'a@b.test' } };
const NO_FAULTS = { pix: 'ok', card: 'ok', payout: 'ok', until: null };

describe('the provider faults of a merchant', () => {
  test('are off by default and change for each provider', async () => {
    const merchantId = newId();

    const before = await faultsOf(merchantId);
    await change(merchantId, { pix: 'down' });
    const after = await change(merchantId, { payout: 'held' });
    const fair = await change(merchantId, { pix: 'ok', payout: 'ok' });

    expect(before).toEqual(NO_FAULTS);
    expect(after).toEqual({ pix: 'down', card: 'ok', payout: 'held', until: expect.any(String) });
    expect([fair, await faultsOf(merchantId)]).toEqual([NO_FAULTS, NO_FAULTS]);
  });

  test('survive a restart, apply at each replica and last a day', async () => {
    const { merchantId } = await withFaults({ pix: 'down' });

    const second = await startSandboxPsp({ ...bank.env, METRICS_PORT: undefined });
    const answer = await callFor(merchantId, second)('GET', `/v2/cob/${newTxid()}`);
    const later = "UPDATE weather SET until = until - interval '1 day' WHERE merchant_id = $1";
    await bank.database.query(later, [merchantId]);

    expect(answer.status).toBe(503);
    expect(await faultsOf(merchantId, second)).toEqual(NO_FAULTS);
    await change(newId(), { pix: 'down' });
    expect(await bank.database.query('SELECT 1 FROM weather WHERE merchant_id = $1', [merchantId])).toEqual(
      [],
    );
    await second.stop();
  });

  test('affect no other merchant and no other provider', async () => {
    const { call } = await withFaults({ pix: 'down' });
    const [txid, id] = [newTxid(), newTxid()];

    expect((await call('PUT', `/v2/cob/${txid}`, order)).status).toBe(503);
    expect((await callFor(newId())('PUT', `/v2/cob/${txid}`, order)).status).toBe(201);
    expect((await bank.call('GET', `/v2/cob/${txid}`)).status).toBe(200);
    expect((await call('PUT', `/v3/gn/pix/${id}`, payout)).status).toBe(201);
  });

  test.each([
    ['pix', 'GET', '/v2/pix/E1'],
    ['pix', 'GET', '/v2/gn/infracoes/1'],
    ['card', 'GET', '/core/v5/orders?code=1'],
    ['card', 'GET', '/core/v5/charges/1'],
    ['payout', 'GET', '/v2/gn/pix/enviados/id-envio/1'],
    ['payout', 'PUT', '/v3/gn/pix/1'],
  ])('set to down for %s answer %s %s with 503', async (provider, method, path) => {
    const { call } = await withFaults({ [provider]: 'down' });

    expect((await call(method, path, method === 'PUT' ? payout : undefined)).status).toBe(503);
  });

  test.each([{ pix: 'held' }, { payout: 'wet' }, { rain: 'ok' }])('%j is refused', async (body) => {
    expect((await askControl(bank, `weather/${newId()}`, body)).status).toBe(400);
  });
});

describe('a provider with unknown outcomes', () => {
  test('executes an order, loses its first answer and answers retries', async () => {
    const { call } = await withFaults({ pix: 'unknown', payout: 'unknown' });
    const [txid, id] = [newTxid(), newTxid()];

    await expect(call('PUT', `/v2/cob/${txid}`, order)).rejects.toThrow('fetch failed');
    await expect(call('PUT', `/v3/gn/pix/${id}`, payout)).rejects.toThrow('fetch failed');

    expect((await call('GET', `/v2/cob/${txid}`)).status).toBe(200);
    expect((await call('PUT', `/v2/cob/${txid}`, order)).status).toBe(201);
    expect((await call('PUT', `/v3/gn/pix/${id}`, payout)).status).toBe(409);
    const { payouts } = await wholeTruth(bank);
    expect(payouts.filter(({ idEnvio }) => idEnvio === id)).toHaveLength(1);
  });

  test('charges a card once for retries with one key', async () => {
    const { merchantId } = await withFaults({ card: 'unknown' });
    const body = orderBody(await tokenize(bank));
    const pay = () => callCards(bank, 'POST /orders', { key: body.code, body, merchantId });

    await expect(pay()).rejects.toThrow('fetch failed');

    expect((await pay()).body).toMatchObject({ code: body.code, status: 'paid' });
    expect(await ordersOf(bank, body.code)).toHaveLength(1);
  });

  test('loses at most a thousand answers of a merchant', async () => {
    const { merchantId, call } = await withFaults({ pix: 'unknown' });
    const filled = `
      INSERT INTO lost_answers (merchant_id, call) SELECT $1, sha256(n::text::bytea) FROM generate_series(1,
      1000) n`;
    await bank.database.query(filled, [merchantId]);

    expect((await call('PUT', `/v2/cob/${newTxid()}`, order)).status).toBe(201);

    await change(merchantId, { pix: 'unknown' });
    await expect(call('PUT', `/v2/cob/${newTxid()}`, order)).rejects.toThrow('fetch failed');
  });
});

describe('a slow provider', () => {
  test('delays its answer', async () => {
    const { call } = await withFaults({ pix: 'slow' });
    const begun = performance.now();

    const answer = await call('PUT', `/v2/cob/${newTxid()}`, order);

    expect(answer.status).toBe(201);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(SLOW_MS - 5);
  });

  test('limits a merchant’s calls without a delay for others', async () => {
    const { call } = await withFaults({ pix: 'slow' });
    const other = callFor(newId());

    const slow = Promise.all(Array.from({ length: 50 }, () => call('GET', `/v2/cob/${newTxid()}`)));
    const quick = await Promise.all(Array.from({ length: 20 }, () => other('GET', `/v2/cob/${newTxid()}`)));

    const statuses = (await slow).map(({ status }) => status);
    expect(statuses.filter((status) => status === 404).length).toBeGreaterThanOrEqual(8);
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0);
    expect(new Set(quick.map(({ status }) => status))).toEqual(new Set([404]));
  });

  test('frees the slots of callers that hang up early', async () => {
    const { merchantId, call } = await withFaults({ pix: 'slow' });
    const headers = { authorization: bearer, [SANDBOX_MERCHANT]: merchantId };
    const aborted = async () =>
      (await scraper.scrape()).valueOf('plataforma_http_request_duration_seconds_count', {
        status: 'aborted',
      });
    const before = (await aborted()) ?? 0;
    await bank.database.transaction(async (tx) => {
      await tx.query('LOCK TABLE weather IN ACCESS EXCLUSIVE MODE');
      const hungUp = new AbortController();
      const { signal } = hungUp;
      const url = `${bank.url}/v2/cob/${newTxid()}`;
      const calls = Array.from({ length: 8 }, () => fetch(url, { headers, signal }).catch(() => undefined));
      const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'weather'::regclass";
      await eventually(async () => expect(await tx.query(waiting)).toHaveLength(8));
      hungUp.abort();
      await Promise.all(calls);
      await eventually(async () => expect(await aborted()).toBe(before + 8));
    });

    expect((await call('GET', `/v2/cob/${newTxid()}`)).status).toBe(404);
  });
});
