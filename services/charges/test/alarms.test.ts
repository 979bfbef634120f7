import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { openMetricsScraper } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { readAlarms } from './support/alarms.ts';
import { newOperator, type PaidCharge, startRefundWorld } from './support/refund-world.ts';

const scraper = beforeFile(openMetricsScraper);
const world = worldOfFile(() => startRefundWorld({ settings: { METRICS_PORT: String(scraper.port) } }));

const alarmsOf = ({ tenant }: PaidCharge, more = '') =>
  readAlarms(world.client, `&merchantId=${tenant.merchantId}${more}`);
const closeAlarm = (id: string, body: unknown, operator = newOperator()) =>
  world.operate(`/charges/alarms/${id}/settle`, body, operator);
const openAlarms = async () =>
  (await scraper.scrape()).valueOf('plataforma_alarms_open', { subject: 'refund' });

/** Makes a refund that an older release reported as done, and that the provider refuses afterwards. */
async function contradicted(): Promise<PaidCharge> {
  const charge = await world.paidCharge();
  const { returns } = world.provider.book;
  returns.willBe(charge.pix, 'EM_PROCESSAMENTO');
  await charge.refund({ amount: 900 });
  const markRefunded = `UPDATE charges SET status = 'REFUNDED', refunded_cents = 900, refunded_at = now()
    WHERE id = $1`;
  await world.database.query(markRefunded, [charge.id]);
  returns.end(charge.pix, 'NAO_REALIZADO');
  await charge.becomes('REFUSED');
  return charge;
}

describe('an alarm about a refund', () => {
  test('is listed until an operator settles it with a note', async () => {
    const charge = await contradicted();
    const before = await alarmsOf(charge);
    const [alarm] = before.alarms;
    const counted = await openAlarms();
    const operator = newOperator();

    const { status, data } = await closeAlarm(alarm?.id ?? '', { note: 'devolvido por TED' }, operator);

    const [refund] = await charge.refunds();
    expect(before).toEqual({
      total: 1,
      alarms: [
        {
          ...{
            id: alarm?.id,
            service: 'charges',
            subject: 'refund',
            subjectId: refund?.id,
            chargeId: charge.id,
          },
          ...charge.tenant,
          ...{
            kind: 'FAILED_AFTER_DONE',
            amount: 900,
            providerReference: null,
            raisedAt: expect.any(String),
          },
          ...{ settledAt: null, settledBy: null, note: null, settlingProposedBy: null },
        },
      ],
    });
    const settlement = {
      settledAt: expect.any(String),
      settledBy: operator.operatorId,
      note: 'devolvido por TED',
    };
    expect([status, data]).toEqual([200, { ...alarm, ...settlement }]);
    expect(await alarmsOf(charge, '&settled=true')).toEqual({ total: 1, alarms: [data] });
    expect(await alarmsOf(charge, '&settled=false')).toEqual({ total: 0, alarms: [] });
    expect([counted, await openAlarms()]).toEqual([1, 0]);
    const audit = await world.database.query('SELECT action, reason FROM audit_log WHERE subject_id = $1', [
      alarm?.id,
    ]);
    expect(audit).toEqual([{ action: 'alarm.settle', reason: 'devolvido por TED' }]);
  });

  test('is settled once by two concurrent operators', async () => {
    const charge = await contradicted();
    const [alarm] = (await alarmsOf(charge)).alarms;
    const id = alarm?.id ?? '';

    const answers = await Promise.all([closeAlarm(id, { note: 'um' }), closeAlarm(id, { note: 'outro' })]);

    const outcomes = answers.map(({ status, error }) => `${status} ${error?.code ?? ''}`).sort();
    expect(outcomes).toEqual(['200 ', '409 INVALID_STATE']);
  });

  test('is not settled without a note, by SUPPORT, or when unknown', async () => {
    const answers = [
      await closeAlarm(newId(), {}),
      await closeAlarm(newId(), { note: 'x' }, newOperator('SUPPORT')),
      await closeAlarm(newId(), { note: 'x' }),
    ];

    const codes = answers.map(({ status, error }) => `${status} ${error?.code}`);
    expect(codes).toEqual(['400 VALIDATION_ERROR', '403 FORBIDDEN', '404 NOT_FOUND']);
  });
});
