import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { z } from 'zod';

/** How a page is looked at: light and dark, on a desk and in a hand. */
export const LOOKS = [
  { name: '1280', width: 1280, colorScheme: 'light' },
  { name: '1280-dark', width: 1280, colorScheme: 'dark' },
  { name: '390', width: 390, colorScheme: 'light' },
  { name: '390-dark', width: 390, colorScheme: 'dark' },
] as const;
export type Look = (typeof LOOKS)[number];

/** Both widths and both colours; the full tier looks at a page in all four. */
const BY_DEFAULT = LOOKS.filter(({ name }) => process.env.LOOKS === 'all' || /^1280$|^390-dark$/.test(name));

const HEIGHT = 900;
/** Only these rules depend on colours; a page's other findings are the same in the dark and in the light. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const texts = z.array(z.string());

export async function lookAs(page: Page, look: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width: look.width, height: HEIGHT });
}

/** Returns axe's findings in a page as it is now: each broken rule with its places. */
export async function barriersOf(page: Page, rules: readonly string[] = RULES): Promise<string[]> {
  if (!(await page.evaluate(`typeof axe === 'object'`))) await page.evaluate(axe.source);
  return texts.parse(
    await page.evaluate(`axe
      .run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })
      .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => id + ' at ' + target.join(' ') + ': ' + failureSummary)))`),
  );
}

/** The barriers of a page in each look of this run, the look named. */
export async function barriersInLooks(page: Page, looks: readonly Look[] = BY_DEFAULT): Promise<string[]> {
  const all: string[] = [];
  const seen = new Set<number>();
  for (const look of looks) {
    await lookAs(page, look);
    const found = await barriersOf(page, seen.has(look.width) ? OF_COLOURS : RULES);
    all.push(...found.map((barrier) => `${look.name}: ${barrier}`));
    seen.add(look.width);
  }
  return all;
}

/** Returns the elements that overflow to the right at these widths. */
export async function sideScrollOf(page: Page, widths: readonly number[]): Promise<string[]> {
  const all: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    all.push(...texts.parse(await page.evaluate(STICKING_OUT)).map((what) => `${width}: ${what}`));
  }
  return all;
}

const STICKING_OUT = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const out = [...document.body.querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right > clientWidth + 1);
  return [scrollWidth + ' wide: ' + out.slice(-3).map((each) => each.tagName.toLowerCase() + '.' + each.className).join(', ')];
})()`;
