import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface VisitOptions {
  origin: string;
  /** The browser's time zone, which may be on another day than the merchant's. */
  timeZone?: string;
  language?: string;
  width?: number;
  isDark?: boolean;
  hasScript?: boolean;
  /**
   * Response statuses that the test expects, because the console reports each response from 400 on as an
   * error.
   */
  refusals?: readonly number[];
}

/** A browser context without cookies or storage, which reaches only this machine. */
export interface Visit {
  context: BrowserContext;
  page: Page;
  /**
   * Lists the page's faults: requests to other hosts, policy violations, deprecated names and console errors.
   */
  faults(): string[];
  close(): Promise<void>;
  /**
   * Closes the context and throws if it had faults before, because closing aborts requests, which are no
   * faults.
   */
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
      if (until !== '') throw new Error(`a page broke its policy or failed:\n${until}`);
    },
  };
}

async function collectFaults(context: BrowserContext, refusals: readonly number[]): Promise<string[]> {
  const faults: string[] = [];
  await context.exposeFunction('reportViolation', (what: string) => faults.push(`policy: ${what}`));
  await context.addInitScript(REPORT_VIOLATIONS);
  // An event and no route, because a context with a route caches nothing. The browser's flags block the
  // request itself.
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
