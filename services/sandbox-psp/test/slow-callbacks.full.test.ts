import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { eventually, freePort } from '@plataforma/testing';
import { startSandboxPsp } from '../src/service.ts';
import { caller, createCharge, pay, SHOP, startBank, truthOf } from './bank.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const silence = () => ({ status: 200, delayMs: 60_000 });

/**
 * The functions that stop the providers. All providers are stopped at the end, because a provider that a
 * failed test left running would disturb other tests.
 */
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function bankOf(...settings: Parameters<typeof startBank>) {
  const bank = await startBank(...settings);
  closing.push(bank.close);
  return bank;
}

/**
 * The tests run in parallel, because they spend most of their time waiting. Each test has a provider of its
 * own.
 */
test.concurrent('a receiver that was unavailable is notified later', async () => {
  const bodies: string[] = [];
  const receiver = createServer(async (request, response) => {
    for await (const chunk of request) bodies.push(String(chunk));
    response.end();
  });
  const port = String(await freePort(null));
  const client = { ...SHOP, callbackUrl: `http://127.0.0.1:${port}/` };
  const bank = await bankOf({ CLIENTS: JSON.stringify([client]) });
  const { txid } = await createCharge(bank);
  await pay(bank, txid);
  await sleep(1_500);

  closing.push(() => receiver.close());
  receiver.listen(Number(port), '127.0.0.1');
  await eventually(() => expect(bodies).toEqual([expect.stringContaining(txid)]));
});

test.concurrent('an attempt without an answer ends after ten seconds and repeats', async () => {
  const bank = await bankOf();
  const { deliveries } = bank.receiver;
  bank.receiver.answer((delivery) => (deliveries[0] === delivery ? silence() : { status: 200 }));
  const { txid } = await createCharge(bank);
  await pay(bank, txid);

  await eventually(() => expect(deliveries).toHaveLength(2));

  // The second attempt begins one second after the first attempt ends with a timeout. The receiver records
  // the first attempt a little after its start.
  const delay = (deliveries[1]?.receivedAt ?? 0) - (deliveries[0]?.receivedAt ?? 0);
  expect(delay).toBeGreaterThan(10_000);
});

test.concurrent('another sender resumes after a killed sender’s lease ends', async () => {
  const bank = await bankOf();
  await bank.stop();
  bank.receiver.answer(silence);
  const [PORT, CONTROL_PORT] = [String(await freePort(null)), String(await freePort(null))];
  const urls = { url: `http://127.0.0.1:${PORT}`, controlUrl: `http://127.0.0.1:${CONTROL_PORT}` };
  const env = { ...bank.env, PORT, CONTROL_PORT, PUBLIC_URL: urls.url };
  const doomed = spawn(process.execPath, [MAIN], { env, stdio: 'inherit' });
  closing.push(() => doomed.kill('SIGKILL'));
  await eventually(async () => expect((await fetch(`${urls.controlUrl}/readyz`)).status).toBe(200));
  const { txid } = await createCharge({ call: await caller(urls.url, SHOP) });
  await pay(urls, txid);
  await bank.receiver.waitFor(() => true);
  doomed.kill('SIGKILL');
  await once(doomed, 'exit');

  bank.receiver.answer(() => ({ status: 200 }));
  const heir = await startSandboxPsp(bank.env);
  closing.push(heir.stop);
  await sleep(1_200);
  expect(bank.receiver.deliveries).toHaveLength(1);
  await bank.database.query('UPDATE callbacks SET due_at = now(), lease_until = now()');

  await eventually(async () => {
    const { payments } = await truthOf(heir, txid);
    expect(payments.map(({ callback }) => callback)).toEqual([{ state: 'DELIVERED', attempts: 2 }]);
  });
  expect(bank.receiver.deliveries).toHaveLength(2);
});

test.concurrent('a sender that stops during a call releases its lease', async () => {
  const bank = await bankOf();
  bank.receiver.answer(silence);
  const { txid } = await createCharge(bank);
  await pay(bank, txid);
  await bank.receiver.waitFor(() => true);

  const startedAt = Date.now();
  await bank.stop();

  expect(Date.now() - startedAt).toBeLessThan(50_000);
  const rows = await bank.database.query('SELECT state, lease_token FROM callbacks');
  expect(rows).toEqual([{ state: 'PENDING', lease_token: null }]);
});
