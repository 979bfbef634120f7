const BROWSERS = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOP(?:R|T)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:(?:Headless)?Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const;

const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const;

/**
 * Returns the names of the browser and operating system in a user agent. For an unknown program, returns the
 * beginning of the user agent.
 */
export function browserNameOf(userAgent: string): { browser: string; system?: string } {
  const nameIn = (names: readonly (readonly [string, RegExp])[]) =>
    names.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const browser = nameIn(BROWSERS);
  if (browser === undefined) return { browser: userAgent.split(/[\s(]/, 1)[0]?.slice(0, 40) ?? '' };
  const system = nameIn(SYSTEMS);
  return { browser, ...(system !== undefined && { system }) };
}
