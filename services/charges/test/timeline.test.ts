import { describe, expect, test } from '@jest/globals';
import { timelinePart } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import type { z } from 'zod';
import { gateway, headerWith } from './support/identity.ts';
import { newOperator, startRefundWorld } from './support/refund-world.ts';

const world = worldOfFile(startRefundWorld);

const byGateway = () => headerWith(gateway.sign({ kind: 'service' }, 'charges'));

const ask = (ids: string, headers = byGateway()) =>
  world.client.send(`/internal/timeline?ids=${ids}`, { method: 'GET', headers });

type Part = z.infer<typeof timelinePart>;

async function partOf(id: string): Promise<Part> {
  return timelinePart.parse((await ask(id)).data);
}

const linesIn = ({ entries }: Part) => entries.map(({ what }) => what);

describe('the timeline route for the gateway', () => {
  test.each([
    ['an empty id', ''],
    ['an id that is not a UUID', 'x'],
    ['too many ids', Array.from({ length: 101 }, newId).join()],
    ['an extra parameter', `${newId()}&limit=1`],
  ])('refuses %s', async (_what, ids) => {
    expect(await ask(ids)).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
  });

  test('answers an empty timeline for an unknown id', async () => {
    const nothing = { subject: null, related: [], belongsTo: null, now: null, isCut: false, entries: [] };

    expect((await ask(newId())).data).toEqual(nothing);
  });
});

describe('the timeline of a charge', () => {
  test('has payment, refund and events, by any of their ids', async () => {
    const charge = await world.paidCharge();
    await charge.refund({ amount: 1_000, reason: 'pedido do CPF 123.456.789-09' });
    await charge.becomes('DONE');

    const part = await partOf(charge.id);
    const [refundId = ''] = part.related;

    expect(linesIn(part)).toEqual(
      expect.arrayContaining([
        'the charge was created',
        'the payment was recorded',
        'charge.paid was announced',
        'a refund was requested',
        'the provider accepted the refund',
        'the charge became REFUNDED',
        'charge.refunded was announced',
      ]),
    );
    expect(part.subject).toMatchObject({ kind: 'charge', id: charge.id, status: 'REFUNDED' });
    expect(part.now).toMatchObject({ status: 'REFUNDED', isKnownAtProvider: true });
    expect(part.entries.find(({ kind }) => kind === 'refund')?.detail).toMatchObject({
      refundId,
      reason: 'pedido do CPF [document]',
      status: 'DONE',
    });
    expect(JSON.stringify(part)).not.toMatch(/Maria|12345678909|123\.456/);
    expect(part.entries.map(({ at }) => at)).toEqual(part.entries.map(({ at }) => at).toSorted());
    // Only these lines are compared, because events that are published meanwhile may change other parts of
    // the answer.
    expect(linesIn(await partOf(refundId))).toEqual(linesIn(part));
  });

  test('shows whether and when an announcement was published', async () => {
    const charge = await world.paidCharge();
    const announcement = async () =>
      (await partOf(charge.id)).entries.find(({ kind }) => kind === 'announcement')?.detail;
    await eventually(async () =>
      expect(await announcement()).toMatchObject({ publishedAt: expect.any(String) }),
    );

    await world.database.query(
      "UPDATE outbox SET published_at = NULL, available_at = now() + interval '1 hour' WHERE body LIKE $1",
      [`%"aggregateId":"${charge.id}"%`],
    );

    expect(await announcement()).toMatchObject({ type: 'charge.paid', publishedAt: null });
  });

  test('shows a dispute with its operator, and an unexpected payment', async () => {
    const charge = await world.paidCharge();
    world.provider.book.pay(charge.txid, { insists: true });
    await world.client.notify(charge.txid);
    const operator = newOperator();
    const { data } = await world.dispute(charge.id);
    const { id: disputeId } = Object(data);
    const end = { outcome: 'MERCHANT', resolution: 'Entregue a fulano@loja.test.' };
    await world.operate(`/disputes/${disputeId}/resolve`, end, operator);

    const part = await eventually(async () => {
      const latest = await partOf(disputeId);
      expect(linesIn(latest)).toContain('the unmatched payment was returned to its payer');
      return latest;
    });

    expect(part.subject).toMatchObject({ id: charge.id });
    expect(part.related).toHaveLength(2);
    expect(part.entries.filter(({ kind }) => kind === 'decision')).toMatchObject([
      { what: 'an operator did dispute.open' },
      {
        what: 'an operator did dispute.resolve',
        detail: { operatorId: operator.operatorId, reason: 'Entregue a [e-mail].' },
      },
    ]);
    expect(part.entries.find(({ what }) => what === 'the dispute ended')?.detail).toMatchObject({
      status: 'RESOLVED_MERCHANT',
      resolution: 'Entregue a [e-mail].',
    });
    expect(linesIn(part)).toContain('an unmatched payment was recorded');
  });

  test('shows a dead letter with the charge’s id', async () => {
    const charge = await world.paidCharge();
    const id = newId();
    const body = Buffer.from(`{"broken": true, "about": "${charge.id}"}`);
    await world.database.query(
      `INSERT INTO dead_letters (id, fingerprint, type, body, reason, died_at)
      VALUES ($1::uuid, $1::text, 'merchant.updated', $2, 'rejected', now())`,
      [id, body],
    );

    const { entries } = await partOf(charge.id);

    expect(entries.find(({ kind }) => kind === 'dead_letter')).toMatchObject({
      what: 'merchant.updated could not be applied',
      detail: { deadLetterId: id, reason: 'rejected', replayedAt: null },
    });
  });

  test('is cut to its newest 500 entries, and says so', async () => {
    const charge = await world.paidCharge();
    await world.database.query(
      `INSERT INTO unexpected_payments (id, end_to_end_id, environment, merchant_id, charge_id, amount_cents,
        paid_at,
        cause, status, next_check_at, returned_at)
      SELECT gen_random_uuid(), 'E' || n || $1, 'sandbox', $2, $1::uuid, 100, now(), 'LATE', 'RETURNED',
      now(), now()
      FROM generate_series(1, 600) AS n`,
      [charge.id, charge.tenant.merchantId],
    );

    const part = await partOf(charge.id);

    expect(part.isCut).toBe(true);
    expect(part.entries).toHaveLength(500);
    expect(part.related).toHaveLength(99);
    expect(part.entries.at(-1)?.what).toBe('the unmatched payment was returned to its payer');
  });
});
