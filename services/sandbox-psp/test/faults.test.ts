import { afterEach, describe, expect, test } from '@jest/globals';
import { startSandboxPsp } from '../src/service.ts';
import {
  type Answer,
  askControl,
  caller,
  control,
  createCharge,
  newTxid,
  order,
  ownBank,
  pay,
  problem,
  problemIn,
  SHOP,
  send,
  times,
  tokenFor,
} from './bank.ts';

const bank = ownBank();
afterEach(() => send(`${bank.controlUrl}/control/faults`, { method: 'DELETE' }));

function fault(operation: string, kind: string, count = 1) {
  return control(bank, 'faults', { operation, fault: kind, times: count });
}

async function exists(txid: string) {
  return (await bank.call('GET', `/v2/cob/${txid}`)).status === 200;
}

const isError500 = (answer: Answer) =>
  expect(problemIn(answer)).toEqual(problem(500, 'ErroInternoDoServidor'));

describe('a call with an ordered fault', () => {
  test.each([
    ['nothing', 'error500', false],
    ['all', 'done_then_500', true],
  ])('answers 500 with %s done', async (_what, kind, isDone) => {
    await fault('pix.create', kind);
    const txid = newTxid();

    isError500(await bank.call('PUT', `/v2/cob/${txid}`, order));

    expect(await exists(txid)).toBe(isDone);
    expect((await bank.call('PUT', `/v2/cob/${txid}`, order)).status).toBe(201);
  });

  test('answers invalid JSON with nothing done', async () => {
    await fault('pix.create', 'garbage');
    const txid = newTxid();
    const answer = await bank.call('PUT', `/v2/cob/${txid}`, order);

    expect(answer.status).toBe(200);
    expect(() => JSON.parse(answer.text)).toThrow(SyntaxError);
    expect(await exists(txid)).toBe(false);
  });

  test('loses its connection with nothing done', async () => {
    await fault('pix.create', 'reset');
    const txid = newTxid();

    await expect(bank.call('PUT', `/v2/cob/${txid}`, order)).rejects.toThrow('fetch failed');

    expect(await exists(txid)).toBe(false);
  });

  test('is not answered before the caller’s timeout, with nothing done', async () => {
    await fault('pix.create', 'timeout');
    const txid = newTxid();
    const authorization = `Bearer ${await tokenFor(bank.url, SHOP)}`;
    const signal = AbortSignal.timeout(300);

    const call = send(
      `${bank.url}/v2/cob/${txid}`,
      { method: 'PUT', headers: { authorization }, signal },
      order,
    );

    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(await exists(txid)).toBe(false);
  });

  test('is refused although the same order succeeded before', async () => {
    const { txid } = await createCharge(bank);
    const [payment] = await pay(bank, txid, { notify: false });
    const path = `/v2/pix/${payment?.endToEndId}/devolucao/a`;
    await bank.call('PUT', path, { valor: '1.00' });

    await fault('pix.refund', 'refused');

    const refused = await bank.call('PUT', path, { valor: '1.00' });
    expect(problemIn(refused)).toEqual(problem(400, 'PixDevolucaoInvalida'));
    expect((await bank.call('GET', path)).status).toBe(200);
  });

  test('cannot be refused when the call only reads', async () => {
    const order = { operation: 'pix.read', fault: 'refused', times: 1 };
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(order) };

    expect((await fetch(`${bank.controlUrl}/control/faults`, init)).status).toBe(400);
  });

  test('still reports invalid input with the fault done_then_500', async () => {
    await fault('pix.create', 'done_then_500');

    expect((await bank.call('PUT', `/v2/cob/${newTxid()}`, {})).status).toBe(400);
  });
});

describe('ordered faults', () => {
  test.each([
    ['pix.create', 'PUT', '/v2/cob/{txid}'],
    ['pix.read', 'GET', '/v2/cob/{txid}'],
    ['pix.read', 'GET', '/v2/pix/{e2eid}'],
    ['pix.read', 'GET', '/v2/pix?inicio=2020-01-01T00:00:00Z&fim=2020-01-02T00:00:00Z'],
    ['pix.refund', 'PUT', '/v2/pix/{e2eid}/devolucao/a'],
  ])('of %s affect %s %s', async (operation, method, pattern) => {
    const { txid } = await createCharge(bank);
    const [payment] = await pay(bank, txid, { notify: false });
    const path = pattern.replace('{txid}', txid).replace('{e2eid}', payment?.endToEndId ?? '');
    const body = { 'pix.create': order, 'pix.refund': { valor: '1.00' } }[operation];

    await fault(operation, 'error500');

    isError500(await bank.call(method, path, body));
    expect((await bank.call(method, path, body)).status).toBeLessThan(300);
  });

  test('do not affect other operations', async () => {
    await fault('pix.refund', 'error500');
    const { txid } = await createCharge(bank);

    expect(await exists(txid)).toBe(true);
    expect((await bank.call('PATCH', `/v2/cob/${txid}`, { valor: { original: '1.00' } })).status).toBe(200);
  });

  test('occur in the sequence of their orders', async () => {
    await fault('pix.read', 'garbage', 2);
    await fault('pix.read', 'error500', 1);
    const { txid } = await createCharge(bank);
    const statuses: number[] = [];
    for (const _round of times(4)) statuses.push((await bank.call('GET', `/v2/cob/${txid}`)).status);

    expect(statuses).toEqual([200, 200, 500, 200]);
  });

  test('affect exactly the ordered number of calls at two replicas', async () => {
    const second = await startSandboxPsp(bank.env);
    const callSecond = await caller(second.url, SHOP);
    const { txid } = await createCharge(bank);

    for (const count of [1, 7, 49]) {
      await fault('pix.read', 'error500', count);
      const calls = times(50).map((index) =>
        (index % 2 === 0 ? bank.call : callSecond)('GET', `/v2/cob/${txid}`),
      );
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 500)).toHaveLength(count);
      expect(statuses.filter((status) => status === 200)).toHaveLength(50 - count);
    }
    await second.stop();
  });

  test('are listed with their remaining calls and can be cleared', async () => {
    await fault('pix.read', 'error500', 3);
    await bank.call('GET', `/v2/cob/${newTxid()}`);
    const url = `${bank.controlUrl}/control/faults`;

    const listed = await send(url, {});
    await send(url, { method: 'DELETE' });

    const remainingFault = { operation: 'pix.read', fault: 'error500', times: 3, remaining: 2 };
    expect(listed.body).toEqual({ faults: [remainingFault] });
    expect((await send(url, {})).body).toEqual({ faults: [] });
    expect((await bank.call('GET', `/v2/cob/${newTxid()}`)).status).toBe(404);
  });

  test.each([
    { operation: 'pix.delete', fault: 'timeout', times: 1 },
    { operation: 'pix.read', fault: 'slow', times: 1 },
    { operation: 'pix.read', fault: 'timeout', times: 0 },
    { operation: 'pix.read', fault: 'timeout', times: 1001 },
    { operation: 'pix.read', fault: 'timeout' },
  ])('%j is refused', async (body) => {
    expect((await askControl(bank, 'faults', body)).status).toBe(400);
  });
});
