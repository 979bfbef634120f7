import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { operatorAs } from './support/operators.ts';
import { signerOf, startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
// The only operator of an installation decides every sum alone.
beforeFile(() => operatorAs(world, 'FINANCE', { days: 3 }));
const second = beforeFile(() => operatorAs(world, 'FINANCE', { days: 2 }));

const LIMIT = 50_000;
const answered = z.object({ data: z.object({ isCounted: z.boolean() }) });

const identityOf = (service: 'charges' | 'gateway' | 'withdrawals') => ({
  'x-internal-identity': signerOf(service).sign({ kind: 'service' }, 'gateway'),
});

function ask(decision: object, headers: Record<string, string> = identityOf('withdrawals')) {
  return fetch(`${world.gateway.internalUrl}/internal/operator-sums`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(decision),
  });
}

interface Decision {
  amount: number;
  operatorId?: string;
  merchantId?: string;
  subjectId?: string;
  action?: string;
}

async function isCounted(decision: Decision): Promise<boolean> {
  const { operatorId = newId(), merchantId = newId(), subjectId = newId(), ...rest } = decision;
  const whole = { action: 'withdrawal.approve', limit: LIMIT, operatorId, merchantId, subjectId, ...rest };
  return answered.parse(await (await ask(whole)).json()).data.isCounted;
}

describe('the decisions of a day', () => {
  test('of an operator about several merchants have one limit', async () => {
    const operatorId = newId();

    expect(await isCounted({ operatorId, amount: 20_000 })).toBe(true);
    expect(await isCounted({ operatorId, amount: 30_000 })).toBe(true);
    expect(await isCounted({ operatorId, amount: 1 })).toBe(false);
    expect(await isCounted({ amount: 50_000 })).toBe(true);
  });

  test('of several operators about a merchant have one limit', async () => {
    const merchantId = newId();

    expect(await isCounted({ merchantId, amount: 50_000 })).toBe(true);
    expect(await isCounted({ merchantId, amount: 1 })).toBe(false);
  });

  test('count a repeated decision once, and a refused one not at all', async () => {
    const [operatorId, subjectId] = [newId(), newId()];
    const merchantId = newId();
    const decision = { operatorId, subjectId, merchantId, amount: 40_000 };

    expect([await isCounted(decision), await isCounted(decision)]).toEqual([true, true]);
    expect(await isCounted({ operatorId, merchantId, amount: 20_000 })).toBe(false);
    expect(await isCounted({ ...decision, action: 'withdrawal.complete', amount: 10_000 })).toBe(true);
  });

  test('count simultaneous decisions one after the other', async () => {
    const operatorId = newId();

    const all = await Promise.all(
      Array.from({ length: 10 }, () => isCounted({ operatorId, amount: 10_000 })),
    );

    expect(all.filter(Boolean)).toHaveLength(5);
  });

  test('do not count those of yesterday', async () => {
    const operatorId = newId();
    await world.database.query(
      `INSERT INTO operator_sums (subject_id, action, operator_id, merchant_id, amount_cents, decided_at)
      VALUES ($1, 'withdrawal.approve', $2, $1, 50000, now() - interval '1 day')`,
      [newId(), operatorId],
    );

    expect(await isCounted({ operatorId, amount: 50_000 })).toBe(true);
  });

  test('count one of yesterday again if it is repeated today', async () => {
    const [operatorId, merchantId, subjectId] = [newId(), newId(), newId()];
    await world.database.query(
      `INSERT INTO operator_sums (subject_id, action, operator_id, merchant_id, amount_cents, decided_at)
      VALUES ($1, 'withdrawal.approve', $2, $3, 50000, now() - interval '1 day')`,
      [subjectId, operatorId, merchantId],
    );
    expect(await isCounted({ operatorId, amount: 30_000 })).toBe(true);

    expect(await isCounted({ operatorId, merchantId, subjectId, amount: 50_000 })).toBe(false);
    expect(await isCounted({ operatorId, merchantId, subjectId, amount: 20_000 })).toBe(true);
    expect(await isCounted({ operatorId, amount: 1 })).toBe(false);
  });

  test('count what a repeat adds to the amount', async () => {
    const [operatorId, merchantId, subjectId] = [newId(), newId(), newId()];
    const decision = { operatorId, merchantId, subjectId };
    expect(await isCounted({ ...decision, amount: 1 })).toBe(true);

    expect(await isCounted({ ...decision, amount: 50_001 })).toBe(false);
    expect(await isCounted({ ...decision, amount: 50_000 })).toBe(true);
    expect(await isCounted({ operatorId, amount: 1 })).toBe(false);
  });
});

describe('a counted decision', () => {
  test('is not changed or deleted by the role of the gateway', async () => {
    await isCounted({ amount: 1 });

    await expect(world.database.query('DELETE FROM operator_sums')).rejects.toThrow(/append-only|denied/);
    await expect(world.database.query('UPDATE operator_sums SET amount_cents = 1')).rejects.toThrow(
      /append-only|denied/,
    );
  });

  test('is accepted only from services that move money', async () => {
    for (const by of [identityOf('gateway'), second.headers, {}])
      expect((await ask({}, by)).status).toBe(401);
    expect((await ask({ amount: 1 })).status).toBe(400);
  });

  test.each([
    ['charges', 'withdrawal.approve', 403],
    ['charges', 'dispute.resolve', 200],
    ['withdrawals', 'dispute.resolve', 403],
    ['withdrawals', 'withdrawal.fail', 200],
  ] as const)('of %s about %s is answered %i', async (service, action, status) => {
    const [operatorId, merchantId, subjectId] = [newId(), newId(), newId()];
    const decision = { operatorId, merchantId, subjectId, action, amount: 1, limit: LIMIT };

    expect((await ask(decision, identityOf(service))).status).toBe(status);
  });
});
