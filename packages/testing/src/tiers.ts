/** The full tier, too long for every change: only a run of everything has these. */
export const LONG_TEST = /\.full\.test\.ts$/;

/** In a real browser: left out where there is none, unless `REQUIRE_BROWSER` is 1. */
export const BROWSER_TEST = /\.browser(\.full)?\.test\.ts$/;

const STARTS_SERVERS = /World\b|Database|[Pp]latform|[Bb]roker|Bench\(|Months|start[A-Z]/;

/** Whether a test file starts no server, by its text: such files run first, because they answer within two minutes. */
export const isUnit = (path: string, text: string): boolean =>
  !LONG_TEST.test(path) && !BROWSER_TEST.test(path) && !STARTS_SERVERS.test(text);

/** The folder of the service or package that a test file belongs to. */
export const ownerOf = (path: string): string => /^.*\/(?:services|packages)\/[^/]+\//.exec(path)?.[0] ?? '';
