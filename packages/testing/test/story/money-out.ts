import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Bank, eventually } from '../../src/index.ts';
import { expectAgreement, expectProvenBooks } from './books.ts';
import { anOrder, type Client, clientOf } from './client.ts';
import { openTill, type Till } from './till.ts';
import type { Cast } from './world.ts';

const FEE = 100;

export function testMoneyOut(cast: () => Cast): void {
  let world: Cast;
  let bank: Bank;
  let till: Till;
  let merchant: Client;
  let operator: Client;

  beforeAll(async () => {
    world = cast();
    ({ merchant, operator, bank } = world);
    const { list } = await operator.get(`/v1/admin/merchants?search=${world.platform.facts.demo.email}`);
    expect(list).toHaveLength(1);
    await operator.patch(`/v1/admin/merchants/${list[0]?.id}/settings`, { withdrawalFee: FEE });
    till = await openTill(world);
  });

  afterEach(() => bank.heals());

  async function earn(amount: number, client = merchant): Promise<void> {
    const before = Number((await client.get('/v1/balance')).data.totalEarned);
    const { data } = await client.post('/v1/charges', anOrder({ amount }));
    await bank.control(`/pix/${data.txid}/pay`);
    await eventually(async () =>
      expect((await client.get('/v1/balance')).data.totalEarned).toBe(before + amount),
    );
  }

  function toKey(amount: number, pixKey: string = randomUUID()) {
    const pixKeyType = pixKey.includes('@') ? 'EMAIL' : 'EVP';
    return { amount, pixKey, pixKeyType };
  }

  function become(id: unknown, status: string, client = merchant) {
    return eventually(async () => {
      const { data } = await client.get(`/v1/withdrawals/${id}`);
      expect(data.status).toBe(status);
      return data;
    });
  }

  async function available(client = merchant): Promise<number> {
    return Number((await client.get('/v1/balance')).data.availableBalance);
  }

  describe('a withdrawal', () => {
    test('is debited at once, paid and reported to the shop', async () => {
      await earn(50_000);
      const before = (await merchant.get('/v1/balance')).data;

      const created = await merchant.post('/v1/withdrawals', toKey(20_000));
      const after = (await merchant.get('/v1/balance')).data;

      expect(created.status).toBe(201);
      expect(created.data).toMatchObject({ status: 'PENDING', amount: 20_000, fee: FEE, netAmount: 19_900 });
      expect(after).toMatchObject({
        availableBalance: Number(before.availableBalance) - 20_000,
        totalWithdrawn: Number(before.totalWithdrawn) + 19_900,
        totalFeesPaid: Number(before.totalFeesPaid) + FEE,
      });
      const paid = await become(created.data.id, 'COMPLETED');
      expect(await till.receivedEvent('withdrawal.completed', created.data.id)).toEqual({
        id: created.data.id,
        amount: 20_000,
        fee: FEE,
        bankAccount: null,
        externalId: null,
        method: 'PIX',
        endToEndId: paid.providerTxId,
        netAmount: 19_900,
        pixKey: created.data.pixKey,
        pixKeyType: 'EVP',
        status: 'COMPLETED',
        providerTxId: paid.providerTxId,
        createdAt: created.data.createdAt,
      });
      const { list } = await merchant.get('/v1/transactions?flow=out&limit=2');
      expect(list).toMatchObject([
        { type: 'FEE', amount: -FEE, withdrawalId: created.data.id },
        { type: 'WITHDRAWAL', amount: -19_900, withdrawalId: created.data.id },
      ]);
    });

    test('that fails returns amount and fee and names the reason', async () => {
      await earn(30_000);
      const before = (await merchant.get('/v1/balance')).data;

      const { data } = await merchant.post('/v1/withdrawals', toKey(10_000, 'fail@sandbox.test'));
      const failed = await become(data.id, 'FAILED');

      expect(failed).toMatchObject({ failureReason: 'account_not_found', failedAt: expect.any(String) });
      expect(await till.receivedEvent('withdrawal.failed', data.id)).toMatchObject({
        status: 'FAILED',
        providerTxId: null,
        failureReason: 'account_not_found',
      });
      await eventually(async () => expect((await merchant.get('/v1/balance')).data).toEqual(before));
    });

    test('to a decoded QR code is paid by key', async () => {
      await earn(20_000);
      const { data: charge } = await merchant.post('/v1/charges', anOrder({ amount: 4_990 }));

      const decoded = await merchant.post('/v1/withdrawals/decode-qr', { brCode: charge.qrCode });
      const { pixKey, pixKeyType, amount } = decoded.data;
      const order = { amount, pixKey, pixKeyType, source: 'QR_CODE' };
      const created = await merchant.post('/v1/withdrawals', order);

      expect(decoded.status).toBe(200);
      expect(decoded.data).toMatchObject({ amount: 4_990, pixKeyType: 'EMAIL', txid: charge.txid });
      expect(created.data).toMatchObject({ source: 'QR_CODE', pixKey });
      await become(created.data.id, 'COMPLETED');
    });
  });

  describe('in production', () => {
    test('an operator’s approval pays a withdrawal, a rejection returns it', async () => {
      const live = clientOf(world.platform.facts.baseUrl, { key: world.platform.facts.demo.liveKey });
      await earn(100_000, live);
      const before = await available(live);
      const approved = await live.post('/v1/withdrawals', toKey(30_000));
      const rejected = await live.post('/v1/withdrawals', toKey(40_000));
      const { data: account } = await live.post('/v1/destinations', {
        type: 'BANK_ACCOUNT',
        bankCode: '341',
        branch: '0001',
        account: '12345-6',
        accountType: 'CHECKING',
        holderName: 'Maria da Silva',
        holderDocument: '12345678909',
      });
      const ted = await live.post('/v1/withdrawals', { amount: 10_000, destinationId: account.id });

      expect(await available(live)).toBe(before - 80_000);
      const decide = (id: unknown, step: string, body?: object) =>
        operator.post(`/v1/admin/withdrawals/${id}/${step}`, body);
      await decide(approved.data.id, 'approve');
      await decide(rejected.data.id, 'reject', { reason: 'O favorecido não confere.' });
      await decide(ted.data.id, 'approve');
      await become(ted.data.id, 'PROCESSING', live);
      await decide(ted.data.id, 'complete', { providerTxId: 'TED-1' });

      await become(approved.data.id, 'COMPLETED', live);
      expect(await become(rejected.data.id, 'REJECTED', live)).toMatchObject({
        rejectedReason: 'O favorecido não confere.',
        rejectedAt: expect.any(String),
      });
      expect(await become(ted.data.id, 'COMPLETED', live)).toMatchObject({ method: 'TED', pixKey: null });
      await eventually(async () => expect(await available(live)).toBe(before - 40_000));
    });
  });

  test('twenty requests with one key are one withdrawal', async () => {
    await earn(30_000);
    const before = await available();
    const order = toKey(10_000);
    const key = randomUUID();

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => merchant.post('/v1/withdrawals', order, key)),
    );
    const later = await merchant.post('/v1/withdrawals', order, key);

    const ids = answers.filter(({ status }) => status === 201).map(({ data }) => data.id);
    expect(new Set(ids).size).toBe(1);
    expect(later.data.id).toBe(ids[0]);
    expect(later.headers.get('idempotency-replayed')).toBe('true');
    expect(await available()).toBe(before - 10_000);
    await become(later.data.id, 'COMPLETED');
  });

  test('in the end bank, withdrawals and books agree', async () => {
    await expectAgreement(world.platform, bank, operator);
    await expectProvenBooks(operator);
  });
}
