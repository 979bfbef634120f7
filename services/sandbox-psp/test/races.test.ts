import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { startSandboxPsp } from '../src/service.ts';
import {
  caller,
  control,
  createCharge,
  newTxid,
  order,
  ownBank,
  pay,
  readCharge,
  removal,
  SHOP,
  send,
  startBank,
  times,
  tokenFor,
  truthOf,
} from './bank.ts';
import { cobGerada } from './published-shapes.ts';

const bank = ownBank();

describe('parallel requests', () => {
  test('of a payment and a removal take effect in sequence', async () => {
    const outcomes = await Promise.all(
      times(40).map(async () => {
        const { txid } = await createCharge(bank);
        const [removed] = await Promise.all([
          bank.call('PATCH', `/v2/cob/${txid}`, removal),
          pay(bank, txid),
        ]);
        const { status, revisao, pix } = await readCharge(bank, txid);
        return { removed: removed.status, status, revisao, payments: pix?.length };
      }),
    );

    for (const outcome of outcomes) {
      const isRemoved = outcome.removed === 200;
      const expected = isRemoved
        ? { removed: 200, ...removal, revisao: 1 }
        : { removed: 400, status: 'CONCLUIDA', revisao: 0 };
      expect(outcome).toEqual({ ...expected, payments: 1 });
    }
  });

  test('that are equal create one charge', async () => {
    const txid = newTxid();
    const answers = await Promise.all(times(10).map(() => bank.call('PUT', `/v2/cob/${txid}`, order)));

    const [first] = answers;
    expect(cobGerada.parse(first?.body).revisao).toBe(0);
    for (const answer of answers) expect(answer).toEqual(first);
  });

  test('that differ make ten revisions of one charge', async () => {
    const txid = newTxid();
    const answers = await Promise.all(
      times(10).map((index) =>
        bank.call('PUT', `/v2/cob/${txid}`, { ...order, valor: { original: `1.0${index}` } }),
      ),
    );

    const revisions = answers.map(({ body }) => cobGerada.parse(body).revisao);
    expect(revisions.sort((a, b) => a - b)).toEqual(times(10));
    expect((await readCharge(bank, txid)).revisao).toBe(9);
  });

  test('of ten payers all pay', async () => {
    const { txid } = await createCharge(bank);
    await Promise.all(times(10).map(() => pay(bank, txid)));

    const { status, pix } = await readCharge(bank, txid);
    expect(status).toBe('CONCLUIDA');
    expect(new Set(pix?.map(({ endToEndId }) => endToEndId)).size).toBe(10);
  });
});

describe('two replicas', () => {
  test('share charges, access tokens and signing keys', async () => {
    const second = await startSandboxPsp(bank.env);
    const { txid, location } = await createCharge(bank);
    const path = location.slice(location.indexOf('/'));

    const authorization = `Bearer ${await tokenFor(bank.url, SHOP)}`;
    const found = await send(`${second.url}/v2/cob/${txid}`, { headers: { authorization } });
    const [ours, theirs] = await Promise.all(
      [bank.url, second.url].map((url) => send(`${url}/.well-known/jwks.json`, {})),
    );

    expect(found).toMatchObject({ status: 200, body: { txid, status: 'ATIVA' } });
    expect((await send(second.url + path, {})).status).toBe(200);
    expect(theirs?.body).toEqual(ours?.body);
    await second.stop();
  });

  test('report every payment once', async () => {
    const second = await startSandboxPsp(bank.env);
    const charges = await Promise.all(times(30).map(() => createCharge(bank)));
    await Promise.all(
      charges.map(({ txid }, index) => pay(index % 2 === 0 ? bank : second, txid, { times: 2 })),
    );

    for (const { txid } of charges) {
      await eventually(async () => {
        const { payments } = await truthOf(bank, txid);
        const delivered = { state: 'DELIVERED', attempts: 1 };
        expect(payments.map(({ callback }) => callback)).toEqual([delivered, delivered]);
      });
      expect(bank.receiver.deliveries.filter(({ body }) => body.includes(txid))).toHaveLength(2);
    }
    await second.stop();
  });
});

test('replicas that start together on an empty database share a key', async () => {
  const own = await startBank();
  const replicas = await Promise.all(times(3).map(() => startSandboxPsp(own.env)));

  const keys = await Promise.all(
    [own, ...replicas].map(({ url }) => send(`${url}/.well-known/jwks.json`, {})),
  );

  expect(new Set(keys.map(({ text }) => text)).size).toBe(1);
  await Promise.all(replicas.map((replica) => replica.stop()));
  await own.close();
});

test('a restart preserves charges, payments and the signing key', async () => {
  const own = await startBank();
  const { txid, location } = await createCharge(own);
  const paid = await createCharge(own);
  await pay(own, paid.txid);
  const before = await readCharge(own, paid.txid);
  const keys = await send(`${own.url}/.well-known/jwks.json`, {});
  const { PORT, env } = { PORT: new URL(own.url).port, env: own.env };
  await own.stop();

  const again = await startSandboxPsp({ ...env, PORT, PUBLIC_URL: own.url });

  expect((await own.call('GET', `/v2/cob/${txid}`)).status).toBe(200);
  expect(await readCharge({ call: await caller(again.url, SHOP) }, paid.txid)).toEqual(before);
  expect((await send(`${again.url}/.well-known/jwks.json`, {})).body).toEqual(keys.body);
  expect((await send(`http://${location}`, {})).status).toBe(200);
  await again.stop();
  await own.close();
});

describe('a control order with an id', () => {
  test('is paid once when it arrives five times at once', async () => {
    const { txid } = await createCharge(bank);
    const order = { orderId: crypto.randomUUID(), times: 2 };

    const orders = await Promise.all(Array.from({ length: 5 }, () => pay(bank, txid, order)));

    expect(new Set(orders.flat().map(({ endToEndId }) => endToEndId)).size).toBe(2);
    expect(orders).toEqual(Array(5).fill(orders[0]));
    expect((await readCharge(bank, txid)).pix).toHaveLength(2);
  });

  test('opens one dispute for four requests, and refuses another', async () => {
    const { txid } = await createCharge(bank);
    await pay(bank, txid, { notify: false });
    const report = (orderId: string) => control(bank, `pix/${txid}/dispute`, { orderId });
    const orderId = crypto.randomUUID();

    const reports = await Promise.all(Array.from({ length: 4 }, () => report(orderId)));

    expect(reports).toEqual(Array(4).fill({ idInfracao: orderId }));
    await expect(report(crypto.randomUUID())).rejects.toThrow(/409.*disputed already/);
  });

  test('disputes a payment of its own charge only', async () => {
    const [{ txid }, other] = [await createCharge(bank), await createCharge(bank)];
    const [, second] = await pay(bank, txid, { times: 2 });
    const [foreign] = await pay(bank, other.txid);
    const report = (endToEndId?: string) => control(bank, `pix/${txid}/dispute`, { endToEndId });

    await expect(report(foreign?.endToEndId)).rejects.toThrow(/409.*this charge was not paid/);
    await report(second?.endToEndId);
    await expect(report(second?.endToEndId)).rejects.toThrow(/409.*disputed already/);
    await report();
  });
});
