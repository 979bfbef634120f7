import { describe, expect, test } from '@jest/globals';
import { doneThenReset, error500, rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import type { Client } from '../support/client.ts';
import { disputeOf } from '../support/dispute.ts';
import { newTenant, operatorHeader } from '../support/identity.ts';
import { expectOneAnswer, postKeyed, repeatable } from '../support/keyed.ts';
import { newOperator, type Operator, startRefundWorld } from '../support/refund-world.ts';

// The scheduler is idle, so that payments are recorded only by requests.
const world = worldOfFile(() => startRefundWorld({ tuning: { scheduleEveryMs: 3_600_000 } }));
const second = beforeFile(() => world.startReplica());

const ROUNDS = rounds(20);
const clients = () => [world.client, second.client] as const;

const AUDITED = `
  SELECT count(DISTINCT disputes.id)::int AS disputes, count(audit_log.id)::int AS audited
  FROM disputes LEFT JOIN audit_log
    ON audit_log.subject_id = disputes.id AND action = 'dispute.open' AND before IS NOT NULL
  WHERE charge_id = $1`;

test('a keyed simulation of a paid charge is refused', async () => {
  const tenant = newTenant();
  const { id } = await world.client.newCharge(tenant);
  await world.client.simulate(tenant, id);

  const answer = await repeatable({ tenant, path: `/v1/charges/${id}/simulate-payment` })(world.client);

  expect([answer.status, answer.error?.code]).toEqual([409, 'CHARGE_NOT_PAYABLE']);
});

describe('concurrent copies of a keyed request at two replicas', () => {
  test(`simulate one payment, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const tenant = newTenant();
      const { id, txid } = await world.client.newCharge(tenant);
      const ask = repeatable({ tenant, path: `/v1/charges/${id}/simulate-payment` });

      expect((await expectOneAnswer(clients(), ask)).status).toBe(200);

      expect(world.provider.book.find(txid)?.payments).toHaveLength(1);
      expect(await world.eventsOf(id)).toHaveLength(1);
    }
  });

  test(`send evidence once, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, tenant } = await world.paidCharge();
      const dispute = disputeOf(await world.dispute(id));
      const path = `/v1/disputes/${dispute.id}/evidence`;
      const evidence = { tenant, path, body: { description: 'A mercadoria foi entregue.' } };

      expect((await expectOneAnswer(clients(), repeatable(evidence))).status).toBe(200);

      const other = await repeatable(evidence)(world.client);
      expect([other.status, other.error?.code]).toEqual([409, 'INVALID_STATE']);
    }
  });

  test(`open one audited dispute of an operator, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const charge = await world.paidCharge();
      const body = { chargeId: charge.id, reason: 'FRAUD', description: 'the payer says it was not them' };
      const post = (operator: Operator) => (client: Client) =>
        postKeyed(client, {
          headers: operatorHeader(operator),
          path: '/v1/admin/disputes',
          key: 'one key',
          body,
        });

      expect((await expectOneAnswer(clients(), post(newOperator()))).status).toBe(201);

      const colleague = await post(newOperator())(world.client);
      expect([colleague.status, colleague.error?.code]).toEqual([409, 'INVALID_STATE']);
      const rows = await world.database.query(AUDITED, [charge.id]);
      expect(rows).toEqual([{ disputes: 1, audited: 1 }]);
    }
  });
});

test.each([
  ['before it was paid', error500],
  ['after it was paid', doneThenReset],
])('a keyed simulation continues after the sandbox failed %s', async (_when, fault) => {
  const tenant = newTenant();
  const { id, txid } = await world.client.newCharge(tenant);
  const ask = repeatable({ tenant, path: `/v1/charges/${id}/simulate-payment` });
  world.provider.next('pay', fault);
  const open = await ask(world.client);
  if (fault === doneThenReset) await world.client.notify(txid);

  const again = await ask(second.client);

  expect([open.status, again.status, again.isReplay]).toEqual([503, 200, false]);
  expect(again.data).toMatchObject({ txid, status: 'PAID' });
  expect(world.provider.book.find(txid)?.payments).toHaveLength(1);
  expect((await ask(world.client)).isReplay).toBe(true);
});
