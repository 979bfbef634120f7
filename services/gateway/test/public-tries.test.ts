import { randomUUID } from 'node:crypto';
import { request, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { api, USELESS_CARD_TOKEN } from '@plataforma/contracts';
import { eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { send } from './support/send.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({ settings: { TRUSTED_PROXIES: '127.0.0.1' } }));
const second = beforeFile(() => world.startReplica());

afterEach(() => world.services.charges.answer(() => ({ status: 200 })));

const { perNetwork } = api.payByPix.tries;
const { declinesPerNetwork } = api.payByCard.tries;
const body = { cardToken: 'token_1' };
const decline = () => world.services.charges.answer(() => ({ status: 402 }));

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `198.51.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`;
}

interface Payment {
  address?: string;
  checkout?: string;
  by?: 'card' | 'pix';
}

/**
 * Sends `times` payments to the two replicas alternately. Without `checkout`, each payment is for a new
 * checkout.
 */
async function pay(times: number, { address, checkout, by = 'card' }: Payment) {
  const answers = [];
  for (let i = 0; i < times; i += 1) {
    const url = `${i % 2 ? world.first.url : second.url}/v1/checkouts/${checkout ?? randomUUID()}/${by}`;
    answers.push(
      await send(url, {
        method: 'POST',
        headers: { 'x-forwarded-for': address ?? newAddress() },
        ...(by === 'card' && { body }),
      }),
    );
  }
  return answers.map(({ status }) => status);
}

/** Sends Pix payments, ten at a time. */
async function payAtOnce(times: number, address: string, checkout?: string): Promise<number[]> {
  const about = { address, by: 'pix' as const, ...(checkout !== undefined && { checkout }) };
  const lines = Array.from({ length: 10 }, (_, i) => pay(Math.ceil((times - i) / 10), about));
  return (await Promise.all(lines)).flat();
}

/** Holds back the responses to card payments until `answer` sends them with a status. */
function blockCards() {
  const underWay: ServerResponse[] = [];
  world.services.charges.intercept(({ url }, res) => url?.endsWith('/card') && underWay.push(res));
  const answer = (status: number) => {
    for (const res of underWay.splice(0))
      res.writeHead(status, { 'content-type': 'application/json' }).end('{"success":true,"data":{}}');
  };
  return { underWay, answer };
}

/** Sends a card payment and hangs up after the charges service has received it. */
async function hangUp(address: string, underWay: ServerResponse[]): Promise<void> {
  const before = underWay.length;
  const call = request(`${world.first.url}/v1/checkouts/${randomUUID()}/card`, {
    method: 'POST',
    headers: { 'x-forwarded-for': address, 'content-type': 'application/json' },
  });
  const closed = new Promise<void>((resolve) => void call.on('error', () => resolve()));
  call.end(JSON.stringify(body));
  await eventually(async () => expect(underWay).toHaveLength(before + 1));
  call.destroy();
  await closed;
}

describe('payments at checkouts', () => {
  test('have a limit for each address across checkouts', async () => {
    const statuses = await payAtOnce(perNetwork + 2, newAddress());

    expect(statuses.sort()).toEqual([...Array(perNetwork).fill(200), 429, 429]);
    expect(await pay(1, { by: 'pix' })).toEqual([200]);
  });

  test('are not limited by other addresses, nor are reads', async () => {
    const [checkout, address] = [randomUUID(), newAddress()];
    await payAtOnce(perNetwork + 1, address, checkout);

    expect(await pay(1, { checkout, by: 'pix' })).toEqual([200]);
    const headers = { 'x-forwarded-for': address };
    expect((await send(`${world.first.url}/v1/checkouts/${checkout}`, { headers })).status).toBe(200);
  });

  test('have a higher limit for all networks of an IPv6 /48', async () => {
    const payFrom = (address: string) => pay(1, { address, by: 'pix' });
    expect(await payFrom('2001:db8:1:1::1')).toEqual([200]);
    await world.database.query(
      "UPDATE rate_counters SET points = 27 * points * $1 WHERE key ILIKE 'POST /v1/checkouts/:id/pix address site:%'",
      [perNetwork],
    );

    expect(await payFrom('2001:db8:1:2::1')).toEqual([429]);
    expect(await payFrom('2001:db8:2:2::1')).toEqual([200]);
  });

  test('above the limit get Retry-After and reach no service', async () => {
    const [checkout, address] = [randomUUID(), newAddress()];
    decline();
    await pay(declinesPerNetwork, { address, checkout });
    const before = world.services.charges.requests.length;

    const { status, headers, code } = await send(`${world.first.url}/v1/checkouts/${checkout}/card/`, {
      method: 'POST',
      headers: { 'x-forwarded-for': address },
      body,
    });

    expect([status, code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(60);
    expect(world.services.charges.requests).toHaveLength(before);
  });
});

describe('card payments at checkouts', () => {
  test('end for an address after fifteen declines, even when concurrent', async () => {
    const address = newAddress();
    decline();

    const answers = await Promise.all(
      Array.from({ length: 60 }, () => pay(1, { address })).map(async (one) => (await one)[0]),
    );
    world.services.charges.answer(() => ({ status: 200 }));

    expect(answers.filter((status) => status === 402)).toHaveLength(declinesPerNetwork);
    expect(new Set(answers)).toEqual(new Set([402, 429]));
    expect(await pay(2, {})).toEqual([200, 200]);
  });

  test('end for an IPv6 /48 after the declines of 27 networks', async () => {
    decline();
    const most = 27 * declinesPerNetwork;
    for (let at = 0; at < most; at += 1) {
      const address = `2001:db8:3:${at.toString(16)}::1`;
      expect(await pay(1, { address })).toEqual([402]);
    }

    expect(await pay(1, { address: '2001:db8:3:ffff::1' })).toEqual([429]);
    expect(await pay(1, { address: '2001:db8:4::1' })).toEqual([402]);
  });

  test('are not limited by paid, refused or unconfirmed cards', async () => {
    const address = newAddress();
    const statuses = [200, 404, 409, 503];
    let answered = 0;
    world.services.charges.answer(() => ({ status: statuses[answered++ % statuses.length] ?? 200 }));
    await pay(4 * declinesPerNetwork + 10, { address });
    decline();

    expect(await pay(declinesPerNetwork + 1, { address })).toEqual([
      ...Array(declinesPerNetwork).fill(402),
      429,
    ]);
  });

  test('end for an address after fifteen useless card tokens', async () => {
    const address = newAddress();
    const refusing = (message: string) => () => ({
      ...{ status: 400 },
      body: JSON.stringify({ success: false, error: { code: 'VALIDATION_ERROR', message } }),
    });
    world.services.charges.answer(refusing('installments: must be at most 6'));
    await pay(declinesPerNetwork + 1, { address });
    world.services.charges.answer(refusing(USELESS_CARD_TOKEN));

    expect(await pay(declinesPerNetwork + 1, { address })).toEqual([
      ...Array(declinesPerNetwork).fill(400),
      429,
    ]);
  });

  test('wait for running ones at the limit, and all succeed', async () => {
    const address = newAddress();
    const { underWay, answer } = blockCards();
    const cards = Array.from({ length: declinesPerNetwork + 9 }, () => pay(1, { address }));
    await eventually(async () => expect(underWay).toHaveLength(declinesPerNetwork));

    answer(200);
    await eventually(async () => expect(underWay).toHaveLength(9));
    answer(200);
    const paid = (await Promise.all(cards)).flat();
    world.services.charges.intercept(undefined);

    expect(new Set(paid)).toEqual(new Set([200]));
    decline();
    expect(await pay(declinesPerNetwork + 1, { address })).toEqual([
      ...Array(declinesPerNetwork).fill(402),
      429,
    ]);
  });

  test('wait in a limited line and leave it on hang-up', async () => {
    const address = newAddress();
    const { underWay, answer } = blockCards();
    const cards = Array.from({ length: declinesPerNetwork }, () => pay(1, { address }));
    await eventually(async () => expect(underWay).toHaveLength(declinesPerNetwork));
    const controller = new AbortController();
    let refused = 0;
    const waiting = Array.from({ length: 300 }, () =>
      fetch(`${second.url}/v1/checkouts/${randomUUID()}/card`, {
        ...{ method: 'POST', body: JSON.stringify(body), signal: controller.signal },
        headers: { 'x-forwarded-for': address, 'content-type': 'application/json' },
      }).then(
        ({ status }) => (refused += status === 503 ? 1 : 0),
        () => undefined,
      ),
    );
    await eventually(() => expect(refused).toBe(300 - 256));
    controller.abort();
    await Promise.all(waiting);

    answer(200);
    expect(await Promise.all(cards)).toEqual(cards.map(() => [200]));
    world.services.charges.intercept(undefined);
    await eventually(async () => expect(await pay(1, { address })).toEqual([200]));
  });

  test('count as declined after a hang-up only once they are declined', async () => {
    const address = newAddress();
    const { underWay, answer } = blockCards();
    const hangUps = async (status: number) => {
      for (let i = 0; i < declinesPerNetwork; i += 1) await hangUp(address, underWay);
      answer(status);
    };

    await hangUps(404);
    await hangUps(200);
    const buyer = pay(1, { address });
    await eventually(async () => expect(underWay).toHaveLength(1));
    answer(200);
    expect(await buyer).toEqual([200]);

    await hangUps(402);
    world.services.charges.intercept(undefined);
    await eventually(async () => expect(await pay(1, { address })).toEqual([429]));
    expect(await pay(1, {})).toEqual([200]);
  });
});
