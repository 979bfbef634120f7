import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Behaviour } from '@plataforma/testing';
import { eventually } from '@plataforma/testing';
import { type PaidCharge, type RefundWorld, startRefundWorld } from '../support/refund-world.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

let world: RefundWorld;
let service: ServiceProcess;

beforeAll(async () => {
  world = await startRefundWorld();
  service = await startServiceProcess({ ...world.env, LOG_LEVEL: 'error' });
  // All goes through the process, whose log can be read.
  await world.first.stop();
});
afterEach(() => world.ledger.always());
afterAll(async () => {
  await service.kill();
  await world.stop();
});

const answering = (status: number, code: string): Behaviour => {
  return () => ({ status, body: { success: false, error: { code, message: 'Zuleica' } } });
};
const paidCharge = () => world.paidCharge({}, { at: service.client });

const LOOK_NOW = 'UPDATE refunds SET next_check_at = now(), attempts = $2 WHERE charge_id = $1';
const RESTS_FOR = `
  SELECT extract(epoch FROM next_check_at - now()) AS seconds FROM refunds
  WHERE charge_id = $1 AND attempts = $2 AND lease_token IS NULL`;

/** Has the clock look now, as if it had done so in vain `attempts` times, and says how long it then rests. */
async function restAfter(charge: PaidCharge, attempts: number): Promise<number> {
  await world.database.query(LOOK_NOW, [charge.id, attempts]);
  return eventually(async () => {
    const [row] = await world.database.query<{ seconds: string }>(RESTS_FOR, [charge.id, attempts + 1]);
    if (!row) throw new Error('nobody has looked at the refund, or it is still looked at');
    return Number(row.seconds);
  });
}

describe('a refund that the ledger will never take as it is', () => {
  test.each([
    [409, 'INVALID_STATE'],
    [400, 'VALIDATION_ERROR'],
    [404, 'NOT_FOUND'],
    [401, 'UNAUTHORIZED'],
    [422, 'WEBHOOK_LIMIT_REACHED'],
  ])('because it answers %i %s is a defect of ours: logged as one, and seen by operators', async (...no) => {
    const charge = await paidCharge();
    world.ledger.always(answering(...no));

    const { status, error } = await charge.refund();

    const [refund] = await charge.refunds();
    const failure = `the ledger answered ${no.join(' ')} when asked for money`;
    expect([status, error?.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(refund).toMatchObject({ status: 'REQUESTED', failure });
    expect(await charge.now()).toMatchObject({ status: 'PAID' });
    await eventually(() => {
      const lines = service.output().split('\n');
      const line = lines.find((each) => each.includes(String(refund?.id)) && each.includes(failure));
      expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 'error', msg: 'a refund does not get on' });
    });
    expect(service.output()).not.toMatch(/Zuleica/);
  });

  test('rests ever longer, ten minutes at most, and goes on when the defect is mended', async () => {
    const charge = await paidCharge();
    world.ledger.always(answering(409, 'INVALID_STATE'));
    await charge.refund();

    const rests = [await restAfter(charge, 4), await restAfter(charge, 7), await restAfter(charge, 5_000)];
    const [refund] = await charge.refunds();
    world.ledger.always();
    await world.database.query(LOOK_NOW, [charge.id, 3]);

    const [short, longer, longest] = rests;
    expect(short).toBeGreaterThan(8);
    expect(short).toBeLessThanOrEqual(16);
    expect(longer).toBeGreaterThan(64);
    expect(longest).toBeGreaterThan(300);
    expect(longest).toBeLessThanOrEqual(600);
    expect(refund).toMatchObject({ status: 'REQUESTED', failure: expect.stringMatching(/409/) });
    await eventually(async () => expect(await charge.refunds()).toMatchObject([{ status: 'DONE' }]));
    expect((await charge.refunds())[0]?.failure).toBeNull();
    expect([charge.debited(), charge.returned().length]).toEqual([[charge.netAmount], 1]);
  });
});
