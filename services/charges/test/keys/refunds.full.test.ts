import { describe, expect, test } from '@jest/globals';
import { error500, rounds } from '@plataforma/testing';
import { beforeFile, repeatWhileUndone, worldOfFile } from '@plataforma/testing/world';
import type { Client } from '../support/client.ts';
import { expectOneAnswer, type Keyed, repeatable, saidIn } from '../support/keyed.ts';
import { type PaidCharge, startRefundWorld } from '../support/refund-world.ts';

const world = worldOfFile(startRefundWorld);
const second = beforeFile(() => world.startReplica());

const ROUNDS = rounds(20);
/** Returns true when the database had no capacity for the request, so the service did nothing. */
const isBusy = ({ status, error }: Keyed) => status === 503 && error?.code === 'SERVICE_UNAVAILABLE';
const refunding = ({ tenant, id }: PaidCharge, body: Record<string, unknown> = { amount: 900 }) =>
  repeatable({ tenant, path: `/v1/charges/${id}/refund`, body });

describe('a refund repeated with the same key', () => {
  test('gets the same answer and refunds the charge once', async () => {
    const charge = await world.paidCharge();
    const ask = refunding(charge, { amount: 900, reason: 'Não serviu' });
    const first = await ask(world.client);

    const again = await ask(second.client);
    const other = await refunding(charge)(world.client);

    expect([first.status, first.isReplay, again.isReplay]).toEqual([200, false, true]);
    expect(saidIn(again)).toEqual(saidIn(first));
    expect([other.status, other.error?.code]).toEqual([409, 'CHARGE_NOT_REFUNDABLE']);
    expect([charge.debited(), charge.returned().length]).toEqual([[900], 1]);
  });

  test('is INSUFFICIENT_BALANCE again; a new key is a new attempt', async () => {
    const charge = await world.paidCharge();
    const { merchantId } = charge.tenant;
    const ask = refunding(charge);
    world.ledger.setBalance(merchantId, 899);
    const first = await ask(world.client);
    world.ledger.setBalance(merchantId, 5_000);

    const again = await ask(second.client);
    const meanwhile = charge.debited();
    const other = await refunding(charge)(world.client);

    expect([first.status, first.error?.code]).toEqual([422, 'INSUFFICIENT_BALANCE']);
    expect([saidIn(again), again.isReplay]).toEqual([saidIn(first), true]);
    expect([meanwhile, other.status, charge.debited()]).toEqual([[], 200, [900]]);
    expect(saidIn(await ask(world.client))).toEqual(saidIn(first));
  });

  test('gets the provider’s refusal again', async () => {
    const charge = await world.paidCharge();
    const ask = refunding(charge);
    world.provider.book.returns.willBe(charge.pix, 'NAO_REALIZADO', 'Saldo insuficiente');
    const first = await ask(world.client);

    const again = await ask(second.client);

    expect([first.status, first.error?.code]).toEqual([409, 'REFUND_REFUSED']);
    expect([saidIn(again), again.isReplay]).toEqual([saidIn(first), true]);
    expect(await charge.refunds()).toHaveLength(1);
    expect(charge.debited()).toEqual([900]);
  });

  test('gets the later outcome after an open answer', async () => {
    const charge = await world.paidCharge();
    const ask = refunding(charge);
    world.provider.next('refund', error500);
    const open = await ask(world.client);
    await charge.becomes('DONE');

    const again = await ask(second.client);
    const later = await ask(world.client);

    expect([open.status, open.error?.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect([again.status, again.isReplay]).toEqual([200, false]);
    expect(again.data).toMatchObject({ id: charge.id, status: 'REFUNDED', refundedAmount: 900 });
    expect([saidIn(later), later.isReplay]).toEqual([saidIn(again), true]);
    expect([charge.debited(), charge.returned().length]).toEqual([[900], 1]);
  });

  test('gets INSUFFICIENT_BALANCE that the scheduler found', async () => {
    const charge = await world.paidCharge();
    const ask = refunding(charge);
    world.ledger.setBalance(charge.tenant.merchantId, 0);
    world.ledger.next(error500);
    const open = await ask(world.client);
    await charge.becomes('REFUSED');

    const again = await ask(world.client);

    expect(open.status).toBe(503);
    expect([again.status, again.error?.code]).toEqual([422, 'INSUFFICIENT_BALANCE']);
    expect((await ask(second.client)).isReplay).toBe(true);
  });
});

describe('concurrent copies of a keyed refund at two replicas', () => {
  test(`refund once: 20, then ${ROUNDS} times 6 copies`, async () => {
    // Neither a lease nor a timeout ends during the test, even on a busy machine.
    const longTimeouts = { refundLeaseMs: 600_000, providerTimeoutMs: 60_000, ledgerTimeoutMs: 60_000 };
    const [one, other] = [await world.startReplica(longTimeouts), await world.startReplica(longTimeouts)];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const charge = await world.paidCharge();
      const ask = refunding(charge);

      const askLongRunning = (client: Client) => repeatWhileUndone(() => ask(client), isBusy);

      const last = await expectOneAnswer([one.client, other.client], askLongRunning, round === 0 ? 20 : 6);

      expect(last.status).toBe(200);
      expect([charge.debited(), charge.returned().length]).toEqual([[900], 1]);
      expect(await charge.announced()).toEqual(['charge.refunded']);
    }
    await Promise.all([one.stop(), other.stop()]);
  });
});
