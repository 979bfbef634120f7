import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { paste } from './paste.ts';
import { startWorld, type World } from './world.ts';

/** What the commands of each guide print, among much else; the clock of the sandbox is moved last. */
const printedBy: readonly (readonly [slug: string, ...printed: string[]])[] = [
  ['first-charge', '"status":"PENDING"', '"status":"PAID"', '"availableBalance":', '"event":"charge.paid"'],
  ['webhooks', 'is PAID, says charge.paid', 'bad_signature 401 wrong signature', 'duplicate 200 '],
];

let world: World;

beforeAll(async () => {
  world = await startWorld({ replicas: 1 });
}, 180_000);

afterAll(() => world?.stop());

describe.each(['pt', 'en'])('the guide in %s', (language) => {
  test.each(printedBy)('%s: its commands work as printed', async (slug, ...expected) => {
    const printed = await paste(world, `docs/guide/${language}/${slug}.md`);

    for (const each of expected) expect(printed).toContain(each);
  });
});
