import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { paste } from './paste.ts';
import { startWorld, type World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ replicas: 1 });
}, 60_000);

afterAll(() => world?.stop());

test('the commands of README take a payment', async () => {
  const printed = await paste(world, 'README.md');

  expect(printed).toContain('charge.paid foi provocado');
  expect(printed).toMatch(/^[\da-f-]{36} +PAID +R\$ 25,00 +PIX/m);
});

test('the commands of the first steps work as they stand', async () => {
  const printed = await paste(world, 'docs/first-steps.md');

  expect(printed).toContain('"status":"REFUNDED"');
  expect(printed).toContain('"cardLastDigits":"0010"');
  expect(printed).toContain('"status":"APPROVED"');
  expect(printed).toContain('"differences":[]');
});
