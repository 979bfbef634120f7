import { describe, expect, test } from '@jest/globals';
import { answeringWith, doneThenGarbage, error500, reset } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { CALLBACK_SECRET, newOrder } from './support/client.ts';
import { CLIENT } from './support/fake-pix.ts';
import { newTenant } from './support/identity.ts';
import { processOfFile } from './support/service-process.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
const service = processOfFile(world, 'debug');

const buyer = {
  payerName: 'Zuleica Canarinho',
  payerDocument: '529.982.247-25',
  payerEmail: 'zuleica.canarinho@example.com',
  description: 'Assinatura Canarinho Dourado',
};

/** Personal data and secrets, in each encoding, that no log line may contain. */
const canaries = [
  ...['Zuleica', 'Canarinho', '529.982.247-25', '52998224725', '529982247'],
  ...[CALLBACK_SECRET, CLIENT.secret, Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')],
  ...['token-', 'Bearer', 'eyJ', 'plataforma.test', '00020101'],
];

async function causeTrouble(): Promise<void> {
  const tenant = newTenant();
  const { client } = service;
  world.provider.next('create', error500, doneThenGarbage, reset, answeringWith({ status: buyer.payerName }));
  for (let i = 0; i < 6; i += 1) await client.create(tenant, newOrder({ ...buyer, amount: 2500 + i }));
  await client.create(tenant, newOrder({ ...buyer, amount: buyer.payerDocument }));
  await client.create(tenant, { ...newOrder(buyer), payerEmail: buyer.payerName });
  const { id, txid } = await client.newCharge(tenant, buyer);
  world.provider.book.pay(txid, { times: 2 });
  world.provider.next('read', error500, answeringWith({ pix: [{ endToEndId: buyer.payerName }] }));
  for (let i = 0; i < 3; i += 1) await client.notify(txid, 'a'.repeat(30));
  await client.cancel(tenant, id);
  await client.simulate(tenant, id);
  await client.send(`/callbacks/pix/${CALLBACK_SECRET}/x`, { method: 'GET', headers: {} });
  await client.checkout(id);
}

describe('the log of a service with many failures', () => {
  test('names no buyer, document, address, secret, token or code', async () => {
    await causeTrouble();

    await service.terminate();

    const lines = service
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    expect(lines.length).toBeGreaterThan(15);
    expect(canaries.filter((canary) => service.output().includes(canary))).toEqual([]);
  });
});
