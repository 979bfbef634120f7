/** Test files that only a full run includes, because they take too long to run for every change. */
export const LONG_TEST = /\.full\.test\.ts$/;

/**
 * Test files that need a real browser. A run on a machine without Chromium leaves them out, unless
 * `REQUIRE_BROWSER` is 1.
 */
export const BROWSER_TEST = /\.browser(\.full)?\.test\.ts$/;

const STARTS_SERVERS = /World\b|Database|[Pp]latform|[Bb]roker|Bench\(|Months|start[A-Z]/;

/**
 * Returns true if the text of a test file starts no server. A run begins with these files, because all of
 * them end within two minutes.
 */
export const isUnit = (path: string, text: string): boolean =>
  !LONG_TEST.test(path) && !BROWSER_TEST.test(path) && !STARTS_SERVERS.test(text);

/** Returns the folder of a test file's service or package. */
export const ownerOf = (path: string): string => /^.*\/(?:services|packages)\/[^/]+\//.exec(path)?.[0] ?? '';
