import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Behaviour } from '@plataforma/testing';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startRefundWorld } from '../support/refund-world.ts';
import { processOfFile } from '../support/service-process.ts';

const world = worldOfFile(startRefundWorld);
const service = processOfFile(world, 'error');
// Stops the other process, so that all requests reach the process whose log the test reads.
beforeAll(() => world.first.stop());
afterEach(() => world.ledger.always());

const answering = (status: number, code: string): Behaviour => {
  return () => ({ status, body: { success: false, error: { code, message: 'Zuleica' } } });
};
const paidCharge = () => world.paidCharge({}, { at: service.client });

describe('a refund that the ledger rejects as invalid', () => {
  test.each([
    [409, 'INVALID_STATE'],
    [400, 'VALIDATION_ERROR'],
    [404, 'NOT_FOUND'],
    [401, 'UNAUTHORIZED'],
    [422, 'WEBHOOK_LIMIT_REACHED'],
  ])('with %i %s is logged as an error and shown to operators', async (...no) => {
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

  test('continues after the correction', async () => {
    const charge = await paidCharge();
    world.ledger.always(answering(409, 'INVALID_STATE'));
    await charge.refund();
    world.ledger.always();

    await charge.handOver();

    await eventually(async () => expect(await charge.refunds()).toMatchObject([{ status: 'DONE' }]));
    expect((await charge.refunds())[0]?.failure).toBeNull();
    expect([charge.debited(), charge.returned().length]).toEqual([[charge.netAmount], 1]);
  });
});
