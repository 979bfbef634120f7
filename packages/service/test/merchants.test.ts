import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Database, migrate, openDatabase } from '@plataforma/data';
import type { MerchantSnapshot } from '@plataforma/events';
import { createSigner, createVerifier } from '@plataforma/http';
import { newId, Refusal } from '@plataforma/kernel';
import { merchantSeals, orderTables, outboxSeals, sharedTables } from '@plataforma/tables';
import { createTestDatabase } from '@plataforma/testing';
import { newKeyPair, silent, trusting } from '@plataforma/testing/fixtures';
import { createMerchantDirectory, isCurrentSql } from '../src/index.ts';
import { saveMerchants } from '../src/merchants.ts';

const keys = newKeyPair();
const verifier = createVerifier('gateway', trusting({ charges: keys.publicKey }));
interface Answer {
  status: number;
  body: string;
}

const requests: string[] = [];
let answerWith: () => Answer | Promise<Answer>;
let database: Database;
let gateway: Server;
let gatewayUrl: string;

beforeAll(async () => {
  const home = await createTestDatabase();
  await migrate(home.url, [sharedTables, orderTables, outboxSeals, merchantSeals]);
  database = openDatabase({ url: home.url, poolSize: 3, log: silent });
  gateway = createServer(async (req, res) => {
    const { identity, issuer } = verifier.verify(String(req.headers['x-internal-identity']));
    const id = String(req.url).replace('/internal/merchants/', '');
    requests.push(`${issuer} ${identity.kind} ${id}`);
    const { status, body } = await answerWith();
    res.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const address = gateway.address();
  gatewayUrl = address && typeof address === 'object' ? `http://127.0.0.1:${address.port}` : '';
});
afterEach(() => void requests.splice(0));
afterAll(async () => {
  gateway.closeAllConnections();
  gateway.close();
  await database.close();
});

const directory = (url = gatewayUrl) =>
  createMerchantDirectory({ database, gatewayUrl: url, signer: createSigner('charges', keys.privateKey) });

function merchant(changes: Partial<MerchantSnapshot> = {}): MerchantSnapshot {
  return {
    id: newId(),
    version: 1,
    name: 'Loja do Zé',
    status: 'APPROVED',
    checkoutColor: '#1f6feb',
    pixFeeBps: 99,
    pixFeeFixed: 0,
    cardFeeBps: 399,
    cardFeeFixed: 0,
    cardEnabled: true,
    maxInstallments: 12,
    settlementDays: 30,
    settlementCalendar: 'calendar',
    withdrawalFee: 0,
    withdrawalFeeMode: 'AMOUNT',
    autoApproveLimit: 0,
    dailyWithdrawalLimit: null,
    destinationCooldownHours: 0,
    newPayeesPerDay: null,
    sandboxAheadMs: 0,
    ...changes,
  };
}

const answering = (snapshot: MerchantSnapshot) => () => ({
  status: 200,
  body: JSON.stringify({ success: true, data: snapshot }),
});

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((reason) => reason);
  return error instanceof Refusal ? `${error.kind} ${error.code}` : String(error);
}

describe('a merchant', () => {
  test('that came in an event is read without a request', async () => {
    const stored = merchant();
    await saveMerchants(database, [stored]);

    expect(await directory().get(stored.id)).toEqual(stored);
    expect(requests).toEqual([]);
  });

  test('without an event is requested once with this service’s identity', async () => {
    const unknown = merchant();
    answerWith = answering(unknown);

    const first = await directory().get(unknown.id);
    const second = await directory().get(unknown.id);

    expect([first, second]).toEqual([unknown, unknown]);
    expect(requests).toEqual([`charges service ${unknown.id}`]);
  });

  test('is never replaced by an older version, in any order', async () => {
    const id = newId();
    const versions = [1, 2, 3].map((version) => merchant({ id, version, pixFeeBps: version }));
    const [one, two, three] = versions;
    if (!one || !two || !three) throw new Error('there are three');

    await saveMerchants(database, [two]);
    await saveMerchants(database, [three, one]);
    await saveMerchants(database, [two, one]);

    expect(await directory().get(id)).toEqual(three);
  });

  test('has the newer version that arrived during a request', async () => {
    const old = merchant();
    const newer = { ...old, version: 2, pixFeeBps: 250 };
    answerWith = async () => {
      await saveMerchants(database, [newer]);
      return answering(old)();
    };

    await directory().get(old.id);

    expect(await directory().get(old.id)).toEqual(newer);
  });

  test('is recalled from memory, and SQL detects a newer version', async () => {
    const old = merchant();
    const newer = { ...old, version: 2, pixFeeBps: 250 };
    const isCurrent = async ({ id, version }: MerchantSnapshot) => {
      const sql = `SELECT ${isCurrentSql({ merchantId: '$1', version: '$2' })} AS current`;
      return (await database.query<{ current: boolean }>(sql, [id, version]))[0]?.current;
    };
    const { get, recall } = directory();
    await saveMerchants(database, [old]);
    const first = await recall(old.id);
    const wasCurrent = await isCurrent(first);

    await saveMerchants(database, [newer]);

    const recalled = await recall(old.id);
    expect([first, recalled]).toEqual([old, old]);
    expect([wasCurrent, await isCurrent(recalled)]).toEqual([true, false]);
    expect([await get(old.id), await recall(old.id)]).toEqual([newer, newer]);
  });

  test.each<[string, keyof MerchantSnapshot]>([
    ['without default', 'pixFeeBps'],
    ['with a default in events', 'newPayeesPerDay'],
  ])('whose copy of an older release lacks a field %s is requested again', async (_what, name) => {
    const whole = merchant({ newPayeesPerDay: 10 });
    const { [name]: missing, ...less } = whole;
    await database.query('INSERT INTO merchants VALUES ($1, 1, $2)', [whole.id, JSON.stringify(less)]);
    answerWith = answering(whole);

    const first = await directory().get(whole.id);
    const second = await directory().get(whole.id);

    expect([first[name], second[name]]).toEqual([missing, missing]);
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['does not find it', () => ({ status: 404, body: '{"success":false}' })],
    ['answers an invalid body', () => ({ status: 200, body: '<html>' })],
    ['answers an incomplete merchant', () => ({ status: 200, body: '{"data":{"id":"x"}}' })],
  ])('is unavailable while the gateway %s', async (_what, answer) => {
    answerWith = answer;

    expect(await refusalOf(directory().get(newId()))).toBe('unavailable SERVICE_UNAVAILABLE');
  });

  test('is unavailable while the gateway is away', async () => {
    expect(await refusalOf(directory('http://127.0.0.1:1').get(newId()))).toBe(
      'unavailable SERVICE_UNAVAILABLE',
    );
  });
});
