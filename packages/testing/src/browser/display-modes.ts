import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { z } from 'zod';

export const DISPLAY_MODES = [
  { name: '1280', width: 1280, colorScheme: 'light' },
  { name: '1280-dark', width: 1280, colorScheme: 'dark' },
  { name: '390', width: 390, colorScheme: 'light' },
  { name: '390-dark', width: 390, colorScheme: 'dark' },
] as const;
export type DisplayMode = (typeof DISPLAY_MODES)[number];

/**
 * The two default modes cover both widths and both colour schemes. With LOOKS=all, a run checks all four
 * combinations.
 */
const BY_DEFAULT = DISPLAY_MODES.filter(
  ({ name }) => process.env.LOOKS === 'all' || /^1280$|^390-dark$/.test(name),
);

const HEIGHT = 900;
/**
 * The accessibility rules that depend on colours. If a width was checked in one colour scheme, only these
 * rules are checked in the other scheme.
 */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const texts = z.array(z.string());

export async function applyDisplayMode(page: Page, mode: DisplayMode): Promise<void> {
  await page.emulateMedia({ colorScheme: mode.colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width: mode.width, height: HEIGHT });
}

/**
 * Returns the accessibility faults that axe finds in the current state of a page: one text for each broken
 * rule and element.
 */
export async function barriersOf(page: Page, rules: readonly string[] = RULES): Promise<string[]> {
  if (!(await page.evaluate(`typeof axe === 'object'`))) await page.evaluate(axe.source);
  return texts.parse(
    await page.evaluate(`axe
      .run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })
      .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => id + ' at ' + target.join(' ') + ': ' + failureSummary)))`),
  );
}

/**
 * Returns the accessibility faults of a page in each display mode of this run. Each text begins with the name
 * of the mode.
 */
export async function barriersInModes(
  page: Page,
  modes: readonly DisplayMode[] = BY_DEFAULT,
): Promise<string[]> {
  const all: string[] = [];
  const checkedWidths = new Set<number>();
  for (const mode of modes) {
    await applyDisplayMode(page, mode);
    const found = await barriersOf(page, checkedWidths.has(mode.width) ? OF_COLOURS : RULES);
    all.push(...found.map((barrier) => `${mode.name}: ${barrier}`));
    checkedWidths.add(mode.width);
  }
  return all;
}

/** Returns the elements that stick out at the right side of the page, for each of the given widths. */
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
  const sticksOut = (each) => each.getBoundingClientRect().right > clientWidth + 1;
  const out = [...document.body.querySelectorAll('*')].filter(sticksOut);
  const names = out.slice(-3).map((each) => each.tagName.toLowerCase() + '.' + each.className);
  return [scrollWidth + ' wide: ' + names.join(', ')];
})()`;
