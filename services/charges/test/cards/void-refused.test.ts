import { beforeAll, expect, test } from '@jest/globals';
import { doneThenReset, eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startCardWorld } from '../support/card-world.ts';
import { processOfFile } from '../support/service-process.ts';

const world = worldOfFile(startCardWorld);
const service = processOfFile(world, 'error');
beforeAll(() => world.first.stop());

test('a refused void is logged and retried until it succeeds', async () => {
  const { externalId, id, payment } = await world.unanswered({}, doneThenReset, service.client);
  const cancels = () => world.acquirer.requestsFor(payment?.id ?? '', 'cancel').length;
  world.acquirer.always('cancel', () => ({
    status: 412,
    body: { message: 'This charge can not be canceled.' },
  }));

  await world.letPass(externalId, 0);
  await world.become(externalId, { acquirer_id: payment?.id });
  await world.letPass(externalId, 15 * 60);
  await eventually(() => expect(cancels()).toBeGreaterThan(2));
  const [meanwhile] = await world.attemptsOf(externalId);
  world.acquirer.always('cancel');
  await world.become(externalId, { status: 'DECLINED', decline_reason: 'voided' });

  expect(meanwhile).toMatchObject({ status: 'PENDING', is_voiding: true });
  expect(payment).toMatchObject({ status: 'canceled', canceledAmount: 2500 });
  const logLines = service
    .output()
    .split('\n')
    .filter((line) => line.includes('card payment not voided by the acquirer'));
  expect(logLines.length).toBeGreaterThan(1);
  expect(logLines[0]).toContain(id);
});
