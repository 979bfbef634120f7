import { createHash, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { eventually } from '@plataforma/testing';
import { send } from './support/send.ts';
import { startWorld } from './support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
let second: { url: string };

beforeAll(async () => {
  world = await startWorld({ settings: { TRUSTED_PROXIES: '127.0.0.1' } });
  second = await world.startReplica();
});
afterEach(() => world.services.charges.answer(() => ({ status: 200 })));
afterAll(() => world.stop());

const { perAddress, declinesPerAddress } = api.payByCard.tries;
const body = { cardToken: 'token_1' };
const decline = () => world.services.charges.answer(() => ({ status: 402 }));

/** Waits until the cards that were no declines are given back, which happens beside their answers. */
async function haveNoDecline(address: string): Promise<void> {
  const key = createHash('sha256').update(address).digest('hex');
  const sql = "SELECT points FROM rate_counters WHERE key LIKE '% declines:' || $1";
  await eventually(async () => expect(await world.database.query(sql, [key])).toEqual([{ points: 0 }]));
}

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `198.51.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`;
}

/** So many cards for one checkout, or each for another, by both replicas in turn. */
async function pay(times: number, { address, checkout }: { address?: string; checkout?: string }) {
  const answers = [];
  for (let i = 0; i < times; i += 1) {
    const url = `${i % 2 ? world.first.url : second.url}/v1/checkouts/${checkout ?? randomUUID()}/card`;
    answers.push(
      await send(url, {
        method: 'POST',
        headers: { 'x-forwarded-for': address ?? newAddress() },
        body,
      }),
    );
  }
  return answers.map(({ status }) => status);
}

describe('cards that are tried at checkouts', () => {
  test('are limited by the address, whatever checkouts it names', async () => {
    const address = newAddress();

    const statuses = await pay(perAddress + 2, { address });

    expect(statuses).toEqual([...Array(perAddress).fill(200), 429, 429]);
    expect(await pay(1, {})).toEqual([200]);
  });

  test('are not limited for an address by what others sent to the same checkout', async () => {
    const checkout = randomUUID();
    await pay(perAddress + 1, { address: newAddress(), checkout });

    expect(await pay(1, { checkout })).toEqual([200]);
  });

  test('read when to come back, and reach no service', async () => {
    const [checkout, address] = [randomUUID(), newAddress()];
    await pay(perAddress, { address, checkout });
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

  test('end for an address that is declined fifteen times, whatever it names, also by cards that come at once', async () => {
    const address = newAddress();
    decline();

    const answers = await Promise.all(
      Array.from({ length: perAddress }, () => pay(1, { address })).map(async (one) => (await one)[0]),
    );
    world.services.charges.answer(() => ({ status: 200 }));

    expect(answers.filter((status) => status === 402)).toHaveLength(declinesPerAddress);
    expect(new Set(answers)).toEqual(new Set([402, 429]));
    expect(await pay(2, {})).toEqual([200, 200]);
  });

  test('do not end for an address by cards that pay, that are refused, or of which nothing is known', async () => {
    const address = newAddress();
    const statuses = [200, 409, 503];
    let answered = 0;
    world.services.charges.answer(() => ({ status: statuses[answered++ % statuses.length] ?? 200 }));
    await pay(2 * declinesPerAddress, { address });
    await haveNoDecline(address);
    decline();

    expect(await pay(declinesPerAddress + 1, { address })).toEqual([
      ...Array(declinesPerAddress).fill(402),
      429,
    ]);
  });

  test('do not end for an address by those that were refused while others were under way', async () => {
    const address = newAddress();
    const underWay: ServerResponse[] = [];
    world.services.charges.intercept(({ url }, res) => url?.endsWith('/card') && underWay.push(res));
    const first = Array.from({ length: declinesPerAddress }, () => pay(1, { address }));
    await eventually(async () => expect(underWay).toHaveLength(declinesPerAddress));

    const refused = await pay(declinesPerAddress, { address });
    world.services.charges.intercept(undefined);
    for (const res of underWay)
      res.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true,"data":{}}');
    const paid = (await Promise.all(first)).flat();

    expect(new Set(refused)).toEqual(new Set([429]));
    expect(new Set(paid)).toEqual(new Set([200]));
    await haveNoDecline(address);
    decline();
    expect(await pay(declinesPerAddress + 1, { address })).toEqual([
      ...Array(declinesPerAddress).fill(402),
      429,
    ]);
  });

  test('take nothing from who reads a checkout', async () => {
    const [checkout, address] = [randomUUID(), newAddress()];
    await pay(perAddress + 1, { address, checkout });

    const headers = { 'x-forwarded-for': address };
    expect((await send(`${world.first.url}/v1/checkouts/${checkout}`, { headers })).status).toBe(200);
  });
});
