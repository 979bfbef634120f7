import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Behaviour } from '@plataforma/testing';
import { blocking, doneThenReset, error500, eventually, silence } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { disputeOf } from '../support/dispute.ts';
import { startRefundWorld } from '../support/refund-world.ts';

// The lease is long enough to send the evidence even on a slow machine.
const world = worldOfFile(() => startRefundWorld({ tuning: { leaseMs: 10_000 } }));

beforeAll(() => world.startReplica());

const evidence = { description: 'Foi entregue.', documents: ['https://loja.example/nota.pdf'] };
const defesa = { descricao: evidence.description, documentos: evidence.documents };
const FORWARD = 'SELECT forward_at FROM disputes WHERE id = $1';

/** Contests a payment at its bank, and waits until the service has opened the dispute. */
async function contested() {
  const charge = await world.paidCharge();
  const { idInfracao } = world.provider.book.infractions.report(charge.pix, 1000);
  const findDispute = async () => {
    const { data } = await world.operate(`/charges/${charge.id}`);
    expect(data).toMatchObject({ disputes: [{ status: 'OPEN' }] });
    const [row] = await world.database.query('SELECT id FROM disputes WHERE charge_id = $1', [charge.id]);
    return String(row?.id);
  };
  const id = await eventually(findDispute);
  return {
    charge,
    id,
    /** Sends the evidence. Repeats the request after a 503, because the service has then done nothing. */
    send: () =>
      eventually(async () => {
        const { status, data, error } = await world.call(
          ...([charge.tenant, `/v1/disputes/${id}/evidence`, evidence] as const),
        );
        expect([status, error]).toEqual([200, undefined]);
        return data;
      }),
    defenseOf: () => world.provider.book.infractions.defenseOf(idInfracao),
    sent: () => world.provider.requestsFor(idInfracao, 'defend').length,
    isForwarded: () =>
      eventually(async () =>
        expect(await world.database.query(FORWARD, [id])).toEqual([{ forward_at: null }]),
      ),
  };
}

describe('evidence against an infraction', () => {
  test('is sent to the provider, once', async () => {
    const { send, defenseOf, sent, isForwarded } = await contested();

    const data = await send();

    await eventually(() => expect(defenseOf()).toEqual(defesa));
    await isForwarded();
    expect(data).toMatchObject({ status: 'UNDER_REVIEW', evidence });
    expect(sent()).toBe(1);
  });

  test.each<[string, Behaviour]>([
    ['is unavailable', error500],
    ['does not answer', silence],
    ['accepts it and loses its answer', doneThenReset],
  ])('is sent again when the provider %s', async (_what, behaviour) => {
    const { send, defenseOf, sent, isForwarded } = await contested();
    world.provider.next('defend', behaviour);

    await send();

    await isForwarded();
    expect([defenseOf(), sent()]).toEqual([defesa, 2]);
  });

  test('is not sent again after the dispute’s decision', async () => {
    const { id, send, sent, isForwarded } = await contested();
    const blocked = blocking(error500);
    world.provider.next('defend', blocked.behaviour);
    await send();
    await blocked.arrived;

    const decision = { outcome: 'CUSTOMER', resolution: 'x' };
    expect((await world.operate(`/disputes/${id}/resolve`, decision)).status).toBe(200);
    blocked.release();
    const other = await contested();
    await other.send();
    await other.isForwarded();

    await isForwarded();
    expect(sent()).toBe(1);
  });
});

test('evidence in a dispute by an operator is not forwarded', async () => {
  const charge = await world.paidCharge();
  const { id } = disputeOf(await world.dispute(charge.id));

  const { status } = await world.call(charge.tenant, `/v1/disputes/${id}/evidence`, evidence);

  expect(status).toBe(200);
  expect(await world.database.query(FORWARD, [id])).toEqual([{ forward_at: null }]);
});
