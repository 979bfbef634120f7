import { describe, expect, test } from '@jest/globals';
import { timelinePart } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { disputeOf, paid, refundOf, withdrawalOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { merchantIn } from './support/wallet-calls.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

const partOf = async (...ids: string[]) =>
  timelinePart.parse((await world.askAs('gateway', `/internal/timeline?ids=${ids.join()}`)).data);

test('the route for the gateway returns nothing for an unknown id', async () => {
  expect(await partOf(newId())).toEqual({
    subject: null,
    related: [],
    belongsTo: null,
    now: null,
    isCut: false,
    entries: [],
  });
});

describe('the ledger’s timeline', () => {
  test('lists a charge’s entries under its own and related ids', async () => {
    const payment = paid(newTenant());
    const chargeId = payment.data.id;
    const { opened } = disputeOf(payment, 500);
    const refund = refundOf(payment, { amount: 700 });
    await world.deliver(payment);
    expect((await world.refund(refund)).status).toBe(200);
    await world.deliver(opened);

    const whole = await partOf(chargeId, refund.id, opened.aggregateId);
    const alone = await partOf(chargeId);

    expect(whole.entries.map(({ what }) => what)).toEqual([
      'charge_paid was posted',
      'refund was posted',
      'dispute_opened was posted',
    ]);
    // Without the dispute's id the ledger does not find the dispute. The ledger finds refunds by the charge's
    // id.
    expect(alone.entries.map(({ what }) => what)).toEqual(['charge_paid was posted', 'refund was posted']);
    expect(whole.entries[1]?.detail).toMatchObject({
      reference: refund.id,
      lines: expect.arrayContaining([{ account: 'clearing:PIX', amount: 700 }]),
      transactions: [{ type: 'REFUND', amount: -700 }],
    });
    for (const { detail } of whole.entries) {
      const [row] = Object(detail).transactions;
      expect((await partOf(row.id)).belongsTo).toBe(chargeId);
      expect((await partOf(String(detail.entryId))).belongsTo).toBe(chargeId);
    }
  });

  test('lists a withdrawal’s entry and a refused debit', async () => {
    const tenant = await merchantIn(world);
    const { order } = withdrawalOf(tenant);
    const tooMuch = { ...order, id: newId(), netAmount: 99_999_999 };
    expect((await world.withdraw(order)).status).toBe(200);
    expect((await world.withdraw(tooMuch)).status).toBe(422);

    const taken = await partOf(order.id);
    const refused = await partOf(tooMuch.id);

    expect(taken.entries.map(({ what }) => what)).toEqual(['withdrawal_created was posted']);
    const [row] = Object(taken.entries[0]?.detail).transactions;
    expect((await partOf(row.id)).belongsTo).toBe(order.id);
    expect([refused.entries, refused.now]).toEqual([[], { receivable: null, refusedDebits: [tooMuch.id] }]);
  });

  test('lists a dead letter that names the charge, with trace', async () => {
    const event = paid(newTenant());
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const envelope = { id: newId(), version: 1, occurredAt: new Date().toISOString() };
    const body = { ...event, ...envelope, traceparent: `00-${traceId}-b7ad6b7169203331-01` };
    await world.database.query(
      `INSERT INTO dead_letters (id, fingerprint, type, body, reason, died_at)
      VALUES ($1::uuid, $1::text, 'charge.paid', $2, 'rejected', now())`,
      [newId(), Buffer.from(JSON.stringify(body))],
    );

    const { entries } = await partOf(event.data.id);

    expect(entries).toMatchObject([
      {
        kind: 'dead_letter',
        what: 'charge.paid could not be applied',
        traceId,
        detail: { replayedAt: null },
      },
    ]);
  });
});
