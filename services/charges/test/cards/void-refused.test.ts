import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { doneThenReset, eventually } from '@plataforma/testing';
import { type CardWorld, startCardWorld } from '../support/card-world.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

let world: CardWorld;
let service: ServiceProcess;

beforeAll(async () => {
  world = await startCardWorld();
  await world.first.stop();
  service = await startServiceProcess({ ...world.env, LOG_LEVEL: 'error' });
});
afterAll(async () => {
  await service.kill();
  await world.stop();
});

test('a payment the acquirer does not take back is told of in the log, and offered again until it does', async () => {
  const { externalId, id, payment } = await world.unheard({}, doneThenReset, service.client);
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
  const told = service
    .output()
    .split('\n')
    .filter((line) => line.includes('does not take back'));
  expect(told.length).toBeGreaterThan(1);
  expect(told[0]).toContain(id);
});
