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
  const { book } = world.acquirer;
  const card = world.newCard();
  const order = world.orderWith(card);
  world.acquirer.next('pay', doneThenReset);
  await service.client.create(world.newShop(), order);
  const [payment] = book.ofCard(card);
  const [attempt] = await world.attemptsOf(order.externalId);
  const cancels = () => world.acquirer.requestsFor(payment?.id ?? '', 'cancel').length;
  const become = (expected: Record<string, unknown>) =>
    eventually(async () => expect(await world.attemptsOf(order.externalId)).toMatchObject([expected]));
  world.acquirer.always('cancel', () => ({
    status: 412,
    body: { message: 'This charge can not be canceled.' },
  }));

  await world.letPass(order.externalId, 0);
  await become({ acquirer_id: payment?.id });
  await world.letPass(order.externalId, 15 * 60);
  await eventually(() => expect(cancels()).toBeGreaterThan(2));
  const [meanwhile] = await world.attemptsOf(order.externalId);
  world.acquirer.always('cancel');
  await become({ status: 'DECLINED', decline_reason: 'voided' });

  expect(meanwhile).toMatchObject({ status: 'PENDING', is_voiding: true });
  expect(payment).toMatchObject({ status: 'canceled', canceledAmount: 2500 });
  const told = service
    .output()
    .split('\n')
    .filter((line) => line.includes('does not take back'));
  expect(told.length).toBeGreaterThan(1);
  expect(told[0]).toContain(attempt?.id);
});
