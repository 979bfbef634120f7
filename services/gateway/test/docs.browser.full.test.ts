import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { barriersInLooks, sideScrollOf, startBrowser, type Visit, visit } from '@plataforma/testing/browser';
import { startWorld, type World } from './support/world.ts';

const program = fileURLToPath(new URL('../../../packages/docs/src/main.ts', import.meta.url));
let world: World;
let browser: Awaited<ReturnType<typeof startBrowser>>;
let seen: Visit;

beforeAll(async () => {
  [world, browser] = await Promise.all([
    startWorld(),
    startBrowser(),
    promisify(execFile)(process.execPath, [program]),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});
beforeEach(async () => {
  seen = await visit(browser, { origin: world.gateway.url });
});
afterEach(() => seen.leave());

/** One of each kind of page. */
const PAGES = ['', 'reference/conventions', 'reference/charges', 'reference/events', 'reference/errors'];

describe.each(['pt', 'en'])('in %s', (language) => {
  test.each(PAGES)('/%s can be read by everybody, and in one direction', async (page) => {
    await seen.page.goto(`/docs/${language}/${page}`);

    expect(await barriersInLooks(seen.page)).toEqual([]);
    expect(await sideScrollOf(seen.page, [320, 390, 1280])).toEqual([]);
  });
});
