/** The full tier, too long for every change: only a run of everything has these. */
export const LONG_TEST = /\.full\.test\.ts$/;

/** In a real browser: left out where there is none, unless `REQUIRE_BROWSER` is 1. */
export const BROWSER_TEST = /\.browser(\.full)?\.test\.ts$/;

/** The folder of the service or package that a test file belongs to. */
export const ownerOf = (path: string): string => /^.*\/(?:services|packages)\/[^/]+\//.exec(path)?.[0] ?? '';
