import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Plataforma } from '@plataforma/sdk';
import { eventually, freePort, joinPlatform, type SharedPlatform } from '@plataforma/testing';

const PROGRAM = join(__dirname, '../src/main.ts');
const running: ChildProcess[] = [];
let platform: SharedPlatform;
let plataforma: Plataforma;
let dataDir: string;
let ended: () => Promise<void>;

beforeAll(async () => {
  platform = await joinPlatform();
  dataDir = await mkdtemp(join(tmpdir(), 'plataforma-shop-'));
  const { baseUrl, demo } = platform.facts;
  plataforma = new Plataforma({ baseUrl, apiKey: demo.sandboxKey });
  ended = async () => {
    for (const child of running) child.kill('SIGKILL');
    await rm(dataDir, { recursive: true });
  };
});
afterAll(() => ended());

/** Runs `npm run shop` with its data file in the test's folder. */
function start(settings: Record<string, string> = {}, file = 'own.sqlite') {
  const { baseUrl, demo } = platform.facts;
  const { PATH = '' } = process.env;
  const own = { PLATAFORMA_URL: baseUrl, PLATAFORMA_API_KEY: demo.sandboxKey };
  const env = { PATH, NODE_OPTIONS: '', SHOP_FILE: join(dataDir, file), ...own, ...settings };
  const child = spawn(process.execPath, [PROGRAM], { env });
  running.push(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += String(chunk);
    });
  }
  return { child, ended: once(child, 'exit'), printed: () => printed };
}

async function open(settings?: Record<string, string>, file?: string) {
  const shop = start(settings, file);
  const url = await eventually(() => {
    const [, found] = /The shop is at (\S+)\./.exec(shop.printed()) ?? [];
    if (!found) throw new Error(shop.printed());
    return found;
  });
  return { ...shop, url };
}

const webhooks = async () => (await plataforma.webhooks.list().page(1)).data;

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the shop and deletes its webhook', async (signal) => {
  const { child, ended, url } = await open({ PORT: String(await freePort(null)) });
  expect(await webhooks()).toMatchObject([{ url: `${url}/webhooks` }]);

  child.kill(signal);

  expect(await ended).toEqual([0, null]);
  expect(await webhooks()).toEqual([]);
});

test('a restarted shop reuses its webhook at a new address', async () => {
  const first = await open({ PORT: String(await freePort(null)) });
  const [left] = await webhooks();
  first.child.kill('SIGKILL');
  await first.ended;

  const again = await open({ PORT: String(await freePort(null)) });
  expect(await webhooks()).toMatchObject([{ id: left?.id, url: `${again.url}/webhooks` }]);
  again.child.kill('SIGKILL');
  await again.ended;

  const other = await open({ PORT: new URL(again.url).port }, 'other.sqlite');
  const [fresh, ...more] = await webhooks();
  expect([fresh?.url, more]).toEqual([`${other.url}/webhooks`, []]);
  expect(fresh?.id).not.toBe(left?.id);
  other.child.kill('SIGTERM');
  await other.ended;
});

test('a taken default port is replaced, a named one refused', async () => {
  const holder = createServer().listen(3_000, '127.0.0.1');
  // If another program uses the port already, the test works too.
  await once(holder, 'listening').catch(() => undefined);
  const shop = await open();
  expect(new URL(shop.url).port).not.toBe('3000');
  expect((await fetch(shop.url)).status).toBe(200);

  const refused = start({ PORT: new URL(shop.url).port });

  expect(await refused.ended).toEqual([1, null]);
  expect(refused.printed()).toMatch(/EADDRINUSE.*: name a free port, as in PORT=4000 npm run shop\n/);
  shop.child.kill('SIGTERM');
  await shop.ended;
  holder.close();
});
