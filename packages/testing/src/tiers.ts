/**
 * Tests of the full tier, which only a run of everything includes because they take too long for every
 * change.
 */
export const LONG_TEST = /\.full\.test\.ts$/;

/** Tests in a real browser. A run without Chromium leaves them out, unless `REQUIRE_BROWSER` is 1. */
export const BROWSER_TEST = /\.browser(\.full)?\.test\.ts$/;

const STARTS_SERVERS = /World\b|Database|[Pp]latform|[Bb]roker|Bench\(|Months|start[A-Z]/;

/**
 * Whether the text of a test file starts no server. Such files run first, because they end within two
 * minutes.
 */
export const isUnit = (path: string, text: string): boolean =>
  !LONG_TEST.test(path) && !BROWSER_TEST.test(path) && !STARTS_SERVERS.test(text);

/** Returns the folder of a test file's service or package. */
export const ownerOf = (path: string): string => /^.*\/(?:services|packages)\/[^/]+\//.exec(path)?.[0] ?? '';
