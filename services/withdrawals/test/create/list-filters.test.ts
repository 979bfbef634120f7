import { beforeAll, describe, expect, test } from '@jest/globals';
import type { WithdrawalView } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { bankBody, saved } from '../support/destination-bodies.ts';
import { sharedWorld } from '../support/world.ts';

const world = worldOfFile(sharedWorld);
let merchant: Tenant;
let other: Tenant;
let rejected: WithdrawalView;
let paid: WithdrawalView;
let ted: WithdrawalView;

beforeAll(async () => {
  merchant = world.newMerchant({ autoApproveLimit: 20_000 }, 'production');
  other = world.newMerchant({}, 'production');
  rejected = await world.client.newWithdrawal(merchant, {
    amount: 50_000,
    externalId: 'folha-0000-ANA1',
    pixKey: 'Ana@Exemplo.com.br',
    pixKeyType: 'EMAIL',
  });
  await world.client.reject(rejected.id, newId());
  const { id } = await world.client.newWithdrawal(merchant, { externalId: 'folha-0000-BIA2' });
  await eventually(async () =>
    expect((await world.client.withdrawal(merchant, id)).status).toBe('COMPLETED'),
  );
  paid = await world.client.withdrawal(merchant, id);
  const destination = await saved(world, merchant, bankBody);
  ted = await world.client.newWithdrawal(merchant, { destinationId: destination.id });
  await world.client.newWithdrawal(other, { externalId: 'folha-0000-ANA1' });
});

async function found(query: Record<string, string>, of = merchant) {
  const { ids, meta } = await world.client.listed(of, `?${new URLSearchParams(query)}`);
  expect(meta).toMatchObject({ total: ids.length });
  return ids;
}

describe('a search for withdrawals', () => {
  test('finds whole ids and their last eight characters', async () => {
    for (const { id, externalId } of [rejected, paid]) {
      const name = externalId ?? '';
      for (const search of [id, id.toUpperCase(), id.slice(-8), name, name.slice(-8)]) {
        expect([search, await found({ search })]).toEqual([search, [id]]);
      }
    }
    expect(await found({ search: ted.id.slice(-8) })).toEqual([ted.id]);
    const number = paid.providerTxId ?? '';
    expect(number.length).toBeGreaterThan(8);
    expect(await found({ search: number })).toEqual([paid.id]);
    expect(await found({ search: number.slice(-8) })).toEqual([paid.id]);
  });

  test('finds the whole key in any case', async () => {
    expect(await found({ search: 'ana@exemplo.com.br' })).toEqual([rejected.id]);
    expect(await found({ search: 'ANA@EXEMPLO.COM.BR' })).toEqual([rejected.id]);
    expect(await found({ search: paid.pixKey ?? '' })).toEqual([paid.id]);
    expect(await found({ search: 'exemplo.com.br' })).toEqual([]);
  });

  test('finds parts of a number and of a name, amounts and keys without punctuation', async () => {
    const searched = world.newMerchant({}, 'production');
    const document = await world.client.newWithdrawal(searched, {
      ...{ amount: 123_456, externalId: 'Férias-2026-ABC', pixKey: '12345678909', pixKeyType: 'CPF' },
    });
    const phone = await world.client.newWithdrawal(searched, {
      pixKey: '+5511987654321',
      pixKeyType: 'PHONE',
    });
    const destination = await saved(world, searched, { ...bankBody, holderName: 'João Conceição' });
    const account = await world.client.newWithdrawal(searched, { destinationId: destination.id });

    for (const search of ['ferias', 'FÉRIAS-2026', 'abc férias', '1.234,56', 'R$ 1234,56', '123.456.789-09'])
      expect([search, await found({ search }, searched)]).toEqual([search, [document.id]]);
    for (const search of ['(11) 98765-4321', '+55 11 98765-4321'])
      expect([search, await found({ search }, searched)]).toEqual([search, [phone.id]]);
    expect(await found({ search: 'conceicao joao' }, searched)).toEqual([account.id]);
    for (const search of ['ferias joao', '1.234,57', '-'])
      expect([search, await found({ search }, searched)]).toEqual([search, []]);
    expect(await found({ search: 'ferias' }, { ...searched, environment: 'sandbox' })).toEqual([]);
    expect(await found({ search: 'ferias' }, other)).toEqual([]);
  });

  test('finds nothing of others and takes no wildcards', async () => {
    expect(await found({ search: paid.id }, other)).toEqual([]);
    expect(await found({ search: paid.id.slice(-8) }, other)).toEqual([]);
    for (const search of ['%', 'folha_', '________', paid.id.slice(-7), 'x'.repeat(255)]) {
      expect([search, await found({ search })]).toEqual([search, []]);
    }
  });

  test('does not find a number hidden from its merchant', async () => {
    const { id: destinationId } = await saved(world, other, bankBody);
    const { id } = await world.client.newWithdrawal(other, { destinationId });
    await world.client.approve(id, newId());
    await eventually(async () => expect((await world.client.fail(id, newId())).status).toBe(200));
    await world.database.query("UPDATE withdrawals SET provider_tx_id = 'TED-GONE-1' WHERE id = $1", [id]);

    expect(await found({ search: 'TED-GONE-1' }, other)).toEqual([]);
    expect(await found({ search: 'D-GONE-1' }, other)).toEqual([]);
  });
});

test('a list sums what its filters select', async () => {
  const summed = async (query: string) =>
    (await world.client.listed(merchant, `?sums=true&${query}`)).meta?.sums;
  const all = [rejected, paid, ted];
  const amount = all.reduce((sum, one) => sum + one.amount, 0);

  expect(await summed('')).toEqual({ count: 3, amount, feeAmount: paid.fee + ted.fee });
  expect(await summed('status=REJECTED')).toEqual({ count: 1, amount: rejected.amount, feeAmount: 0 });
  expect(await summed(`search=${paid.id}`)).toEqual({ count: 1, amount: paid.amount, feeAmount: paid.fee });
  expect(await summed('startDate=2000-01-01&endDate=2000-01-02')).toEqual({
    count: 0,
    amount: 0,
    feeAmount: 0,
  });
  expect((await world.client.listed(merchant, '')).meta).not.toHaveProperty('sums');
});

describe('filters', () => {
  test('by method, externalId and days narrow list and total', async () => {
    expect(await found({ method: 'TED' })).toEqual([ted.id]);
    expect(await found({ method: 'PIX' })).toEqual([paid.id, rejected.id]);
    expect(await found({ externalId: 'folha-0000-ANA1' })).toEqual([rejected.id]);
    expect(await found({ externalId: 'ANA1' })).toEqual([]);
    expect(await found({ endDate: '2020-01-01' })).toEqual([]);
    expect(await found({ startDate: '2020-01-01' })).toEqual([ted.id, paid.id, rejected.id]);
    expect(await found({ endDate: '9999-12-31' })).toEqual([ted.id, paid.id, rejected.id]);
    expect(await found({ startDate: paid.createdAt, endDate: paid.createdAt })).toEqual([paid.id]);
  });

  test('can be combined', async () => {
    expect(await found({ method: 'PIX', status: 'REJECTED' })).toEqual([rejected.id]);
    expect(await found({ method: 'TED', status: 'REJECTED' })).toEqual([]);
    expect(await found({ externalId: 'folha-0000-ANA1', status: 'COMPLETED' })).toEqual([]);
    expect(await found({ search: paid.id, method: 'TED' })).toEqual([]);
    expect(await found({ search: paid.id, startDate: '2000-01-01', endDate: '2000-01-02' })).toEqual([]);
    expect(await found({ status: 'REJECTED', endDate: '2000-01-02' })).toEqual([]);
  });

  test('use days in the named zone or the account’s zone', async () => {
    const late = await world.client.newWithdrawal(other);
    // This time is 23:30 on 2026-01-10 in São Paulo, but already the next day in UTC.
    await world.database.query("UPDATE withdrawals SET created_at = '2026-01-11T02:30:00Z' WHERE id = $1", [
      late.id,
    ]);
    const day = { startDate: '2026-01-10', endDate: '2026-01-10' };
    const account = { ...other, timeZone: 'America/Sao_Paulo' };

    expect(await found({ ...day, timeZone: 'America/Sao_Paulo' }, other)).toEqual([late.id]);
    expect(await found(day, other)).toEqual([]);
    expect(await found(day, account)).toEqual([late.id]);
    const { meta } = await world.client.list(other, '?startDate=2026-01-10&timeZone=America/Sao_Paulo');
    expect(meta).toMatchObject({ timeZone: 'America/Sao_Paulo' });
  });

  test('when absent let cursors list every page in order', async () => {
    const all = await found({});
    const pages: string[] = [];
    let after: string | undefined;
    do {
      const query = new URLSearchParams({ limit: '2', ...(after === undefined ? {} : { after }) });
      const { ids, meta } = await world.client.listed(merchant, `?${query}`);
      pages.push(...ids);
      const next = meta && 'next' in meta ? meta.next : undefined;
      after = typeof next === 'string' ? next : undefined;
    } while (after !== undefined);

    expect(pages).toEqual(all);
  });
});
