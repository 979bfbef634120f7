import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { RACES_MS, rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { disputeOf } from '../support/dispute.ts';
import { operatorHeader } from '../support/identity.ts';
import { newOperator, startRefundWorld } from '../support/refund-world.ts';
import type { Replica } from '../support/world.ts';

const world = worldOfFile(startRefundWorld);
const second = beforeFile(() => world.startReplica());

const ROUNDS = rounds(50);
const charges = { MERCHANT: 'PAID', CUSTOMER: 'REFUNDED', CANCELLED: 'PAID' };
const ends = { MERCHANT: 'RESOLVED_MERCHANT', CUSTOMER: 'RESOLVED_CUSTOMER', CANCELLED: 'CANCELLED' };
const outcomes = ['MERCHANT', 'CUSTOMER', 'CANCELLED'] as const;

const resolve = (id: string, outcome: string, { client }: Pick<Replica, 'client'>) =>
  client.send(`/v1/admin/disputes/${id}/resolve`, {
    method: 'POST',
    headers: operatorHeader(newOperator()),
    body: { outcome, resolution: outcome },
  });
const rowsOf = (id: string) =>
  world.database.query('SELECT after FROM audit_log WHERE subject_id = $1 ORDER BY at', [id]);
const isRefused = ({ status, error }: { status: number; error?: { code: string } | undefined }) =>
  expect([status, error?.code]).toEqual([409, 'INVALID_STATE']);

test(
  `three concurrent resolutions of a dispute make one decision, ${ROUNDS} times`,
  async () => {
    const winners = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const charge = await world.paidCharge();
      const { id } = disputeOf(await world.dispute(charge.id));

      const answers = await Promise.all(
        outcomes.map((outcome, i) =>
          sleep((round + i) % 3).then(() => resolve(id, outcome, i % 2 ? world : second)),
        ),
      );

      const won = outcomes.filter((_, i) => answers[i]?.status === 200);
      const [outcome = 'MERCHANT'] = won;
      winners.add(outcome);
      expect(won).toHaveLength(1);
      for (const answer of answers) if (answer.status !== 200) isRefused(answer);
      const events = await world.eventsOf(id);
      expect(events.map(({ type }) => type)).toEqual(['dispute.opened', 'dispute.resolved']);
      expect(events[1]?.data).toMatchObject({ status: ends[outcome], resolution: outcome });
      expect((await charge.now()).status).toBe(charges[outcome]);
      expect((await rowsOf(id)).map(({ after }) => after)).toEqual([
        expect.anything(),
        { status: ends[outcome] },
      ]);
    }
    if (ROUNDS >= 50) expect(winners.size).toBeGreaterThan(1);
  },
  RACES_MS,
);

test(
  `evidence and a decision at once decide the dispute, ${ROUNDS} times`,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const charge = await world.paidCharge();
      const { id } = disputeOf(await world.dispute(charge.id));
      const evidence = { description: 'Foi entregue.' };

      const [sent, decided] = await Promise.all([
        sleep(round % 3).then(() => world.call(charge.tenant, `/v1/disputes/${id}/evidence`, evidence)),
        sleep(round % 2).then(() => resolve(id, 'CUSTOMER', second)),
      ]);

      const { data } = await world.call(charge.tenant, `/v1/disputes/${id}`);
      expect(decided.status).toBe(200);
      if (sent.status !== 200) isRefused(sent);
      expect(data).toMatchObject({
        status: 'RESOLVED_CUSTOMER',
        evidence: sent.status === 200 ? evidence : null,
      });
      const sequences = sent.status === 200 ? [1, 2, 3] : [1, 2];
      expect((await world.eventsOf(id)).map(({ sequence }) => sequence)).toEqual(sequences);
    }
  },
  RACES_MS,
);

test(
  `ten operators at once open one dispute, ${ROUNDS} times`,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const charge = await world.paidCharge();

      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          world.dispute(charge.id, { amount: i + 1 }, i % 2 ? world.client : second.client),
        ),
      );

      const opened = answers.filter(({ status }) => status === 201);
      expect(opened).toHaveLength(1);
      for (const answer of answers) if (answer.status !== 201) isRefused(answer);
      const { data, meta } = await world.call(charge.tenant, '/v1/disputes');
      expect([data, meta]).toMatchObject([[{ id: disputeOf(opened[0] ?? {}).id }], { total: 1 }]);
    }
  },
  RACES_MS,
);
