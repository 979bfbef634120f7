import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { webhookExamples } from '@plataforma/contracts';
import { newTestFolder } from '../../src/test-folders.ts';
import { root } from '../documents.ts';
import { buildSamples, installed, type Receiver, startReceiver } from './languages.ts';

const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'um segredo bem comprido'] as const;

/** Example events, in the form in which the service webhooks sends them. */
const exampleOf = (name: string) => webhookExamples.find(({ event }) => event === name);
const paid = exampleOf('charge.paid');
const refunded = exampleOf('charge.refunded');
const tested = exampleOf('webhook.test');

const signed = (body: string, secret: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

describe.each(installed)('the receiver in $folder', (language) => {
  let folder: string;
  let receiver: Receiver;

  beforeAll(async () => {
    folder = await newTestFolder();
    await buildSamples(language, folder);
    receiver = await startReceiver(language, folder, secrets.join(','));
  });

  afterAll(async () => {
    await receiver?.stop();
    await rm(folder, { recursive: true });
  });

  async function post(notification: object | undefined, { secret = secrets[0] as string, id = '' } = {}) {
    const text = JSON.stringify(notification);
    const body = id === '' ? text : text.replaceAll(paid?.data.id ?? '', id);
    const headers = { 'X-Webhook-Signature': signed(body, secret), 'Content-Type': 'application/json' };
    const answer = await fetch(receiver.url, { method: 'POST', headers, body });
    return `${answer.status} ${(await answer.text()).trim()}`;
  }

  const withEventId = (notification: object | undefined, eventId: string) => ({ ...notification, eventId });

  test('processes one of eight parallel copies of an event', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(paid, { id: 'charge-1' })));

    expect(answers.filter((answer) => answer === '200 new')).toHaveLength(1);
    expect(answers.filter((answer) => answer === '200 duplicate')).toHaveLength(7);
  });

  test('skips an older event after a later one', async () => {
    expect(await post(withEventId(refunded, 'event-2'), { id: 'charge-2' })).toBe('200 new');
    expect(await post(withEventId(paid, 'event-1'), { id: 'charge-2' })).toBe('200 late');
  });

  test('processes a later event after an earlier one', async () => {
    expect(await post(withEventId(paid, 'event-3'), { id: 'charge-3' })).toBe('200 new');
    expect(await post(withEventId(refunded, 'event-4'), { id: 'charge-3' })).toBe('200 new');
  });

  test('refuses a body of more than a mebibyte', async () => {
    const big = { ...tested, padding: 'x'.repeat(1 << 20) };

    expect(await post(big).catch(() => 'hung up')).toMatch(/^(?:401 wrong signature|hung up)$/);
    expect(await post(tested)).toBe('200 test');
  });

  test('writes nothing into the folder where it starts', async () => {
    expect(await readdir(receiver.folder)).toEqual([]);
    if (['typescript', 'php', 'python'].includes(language.folder))
      expect(await readdir(folder)).toContain('plataforma-webhooks.db');
  });

  test('accepts signatures of both secrets and no other', async () => {
    expect(await post(tested, { secret: secrets[1] })).toBe('200 test');
    expect(await post(tested, { secret: 'nobody knows this one' })).toBe('401 wrong signature');
  });
});

test('on an older Node the receiver names the required version', async () => {
  const clone = await newTestFolder();
  const samples = join(clone, 'docs/guide/samples/typescript');
  await cp(join(root, 'docs/guide/samples/typescript'), samples, { recursive: true });
  const older = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })`;
  const start = () =>
    promisify(execFile)(process.execPath, ['--import', older, join(samples, 'start.mjs')]).catch(
      ({ code, stderr }) => [code, String(stderr)],
    );

  const alone = await start();
  await mkdir(join(clone, 'node_modules'));
  await writeFile(join(clone, 'node_modules/.installed.json'), JSON.stringify({ node: '/own/bin/node' }));
  const installed = await start();

  const needs = 'receiver.ts needs Node 22.18 or newer, and this is 20.20.2';
  expect(alone).toEqual([1, expect.stringContaining(needs)]);
  expect(installed).toEqual([1, expect.stringContaining(`/own/bin/node ${join(samples, 'start.mjs')}`)]);
  await rm(clone, { recursive: true });
});
