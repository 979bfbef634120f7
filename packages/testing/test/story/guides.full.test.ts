import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newTestFolder } from '../../src/test-folders.ts';
import { blocksOf, readDocuments, root } from '../documents.ts';
import { paste, runNode } from './paste.ts';
import { startWorld, type World } from './world.ts';

/**
 * Texts that the commands of each guide must print, in addition to the outputs in the guide itself. The guide
 * that moves the sandbox clock runs last.
 */
const printedBy: readonly (readonly [slug: string, ...printed: string[]])[] = [
  ['first-charge', '"status": "PENDING"', '"status":"PAID"', '"availableBalance":', '"event":"charge.paid"'],
  ['webhooks', 'is PAID, says charge.paid', '"event":"webhook.test"'],
  ['cards', '"url":', '"cardLastDigits":"0010"', '"paymentMethod":"CARD"'],
  [
    'refunds-and-disputes',
    '"status":"REFUNDED"',
    '"failureReason":"refused_by_provider"',
    '"RESOLVED_MERCHANT"',
  ],
  ['payouts', '"status":"COMPLETED"', '"status":"REJECTED"', '"pixKeyType":"EMAIL"', '"method":"TED"'],
  ['reconciliation', '"closingBalance":', '"totalAmount":', 'America/Sao_Paulo', '"grossAmount":'],
  ['production'],
  ['errors', 'idempotency-replayed: true', '"errorCode":"VALIDATION_ERROR"'],
  ['limits', 'RateLimit-Remaining'],
  ['cli', 'withdrawableBalance', '-cli-1'],
  ['test-clock-and-faults', '"cause":"WRONG_AMOUNT"', '"cause":"DUPLICATE"', '"aheadSeconds":'],
];

const documents = readDocuments();
let world: World;

beforeAll(async () => {
  world = await startWorld({ replicas: 1 });
}, 600_000);

afterAll(() => world?.stop());

test('the commands of README take a payment', async () => {
  const printed = await paste(world, 'README.md');

  expect(printed).toContain('charge.paid foi provocado');
  expect(printed).toMatch(/^[\da-f-]{36} +PAID +R\$ 25,00 +PIX/m);
});

test('the commands of the first steps work as printed', async () => {
  const printed = await paste(world, 'docs/first-steps.md');

  expect(printed).toContain('"status":"REFUNDED"');
  expect(printed).toContain('"cardLastDigits":"0010"');
  expect(printed).toContain('"status":"APPROVED"');
  expect(printed).toContain('"differences":[]');
});

describe.each(['pt', 'en'])('the guide in %s', (language) => {
  test.each(printedBy)('%s: its commands work as printed', async (slug, ...expected) => {
    const path = `docs/guide/${language}/${slug}.md`;
    const printed = await paste(world, path);

    const shown = blocksOf(documents.get(path) ?? '', 'text');
    for (const each of [...expected, ...shown]) expect(printed).toContain(each);
  });
});

/** Creates a folder in which the SDK is installed, as in the project of a shop. */
async function newShop(): Promise<string> {
  const folder = await newTestFolder();
  await mkdir(join(folder, 'node_modules/@plataforma'), { recursive: true });
  await symlink(join(root, 'packages/sdk'), join(folder, 'node_modules/@plataforma/sdk'));
  return folder;
}

async function runInShop(folder: string, file: string): Promise<string> {
  const { baseUrl, demo } = world.platform.facts;
  return runNode(folder, file, { PLATAFORMA_URL: baseUrl, PLATAFORMA_KEY: demo.sandboxKey });
}

test('the SDK sample charges, reads a list and pays out', async () => {
  const folder = await newShop();
  await cp(join(root, 'docs/guide/samples/sdk'), folder, { recursive: true });
  const printed = await runInShop(folder, 'first-charge.mjs');
  await rm(folder, { recursive: true });

  expect(printed).toMatch(/^PENDING 0002\d+.*\nPAID\nsdk-\d+ 2500\n/);
  expect(printed.trim()).toMatch(/\n[0-9a-f-]{36}$/);
});

test.each(['pt', 'en'])('the first guide in %s takes a payment with the SDK', async (language) => {
  const folder = await newShop();
  const page = documents.get(`docs/guide/${language}/first-charge.md`) ?? '';
  const program = blocksOf(page, 'js')
    .join('')
    .replaceAll('http://localhost:8080', world.platform.facts.baseUrl)
    .replaceAll('-1001', '-1001-sdk');
  await writeFile(join(folder, 'page.mjs'), program);
  const printed = await runInShop(folder, 'page.mjs');
  await rm(folder, { recursive: true });

  expect(printed).toMatch(/^PENDING \S+\nPAID\n\d+\n/);
});
