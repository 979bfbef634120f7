import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface VisitOptions {
  /** Where relative addresses lead. */
  origin: string;
  /** The browser's; its day may be another than the merchant's. */
  timeZone?: string;
  language?: string;
  width?: number;
  isDark?: boolean;
  hasScript?: boolean;
  /** Refusals that the story is about: a browser reports every answer from 400 on as an error. */
  refusals?: readonly number[];
}

/** A browser of one person: no cookie, no storage, and no way to anything but this machine. */
export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Lists the page's faults: requests to strangers, violations of the policy, errors in the console. */
  faults(): string[];
  close(): Promise<void>;
  /** Closes it, and fails by its faults until then: what the closing breaks off is none. */
  leave(): Promise<void>;
}

const HEIGHT = 900;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const REFUSED = /^Failed to load resource: the server responded with a status of (\d{3})/;
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) =>
  reportViolation(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sourceFile + ':' + event.lineNumber))`;

export async function visit(browser: Browser, options: VisitOptions): Promise<Visit> {
  const { origin, timeZone = 'America/Sao_Paulo', language = 'pt-BR', width = 1280 } = options;
  const context = await browser.newContext({
    baseURL: origin,
    timezoneId: timeZone,
    locale: language,
    viewport: { width, height: HEIGHT },
    colorScheme: options.isDark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    javaScriptEnabled: options.hasScript ?? true,
  });
  const faults = await collectFaults(context, options.refusals ?? []);
  return {
    context,
    page: await context.newPage(),
    faults: () => faults,
    close: () => context.close(),
    async leave() {
      const until = faults.join('\n');
      await context.close();
      if (until !== '') throw new Error(`a page did what no page may:\n${until}`);
    },
  };
}

async function collectFaults(context: BrowserContext, refusals: readonly number[]): Promise<string[]> {
  const faults: string[] = [];
  await context.exposeFunction('reportViolation', (what: string) => faults.push(`policy: ${what}`));
  await context.addInitScript(REPORT_VIOLATIONS);
  // Seen, not routed: a context with a route keeps nothing it has loaded. That none arrives is for the browser's flags.
  context.on('request', (request) => {
    const { protocol, hostname, href } = new URL(request.url());
    if (/^(http|ws)s?:$/.test(protocol) && !LOOPBACK.has(hostname))
      faults.push(`request to a stranger: ${href}`);
  });
  context.on('response', (response) => {
    if (response.headers().deprecation !== undefined) faults.push(`deprecated name: ${response.url()}`);
  });
  context.on('weberror', (thrown) => faults.push(`thrown: ${thrown.error().message}`));
  context.on('console', (message) => {
    const text = message.text();
    const status = Number(REFUSED.exec(text)?.[1]);
    if (message.type() === 'error' && !refusals.includes(status)) {
      faults.push(`console: ${text} ${message.location().url}`);
    }
  });
  return faults;
}
