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

/** One of each kind of page; those in Portuguese that are not here the default tier looks at. */
const PAGES = {
  pt: ['reference/conventions', 'reference/events', 'reference/errors'],
  en: ['', 'reference/conventions', 'reference/charges', 'reference/events', 'reference/errors'],
};

describe.each(['pt', 'en'] as const)('in %s', (language) => {
  test.each(PAGES[language])('/%s can be read by everybody, and in one direction', async (page) => {
    await seen.page.goto(`/docs/${language}/${page}`);

    expect(await barriersInLooks(seen.page)).toEqual([]);
    expect(await sideScrollOf(seen.page, [320, 390, 1280])).toEqual([]);
  });
});
