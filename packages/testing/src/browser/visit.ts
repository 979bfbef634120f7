import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface VisitOptions {
  origin: string;
  /** The browser's time zone. Its current date may differ from the date in the merchant's time zone. */
  timeZone?: string;
  language?: string;
  width?: number;
  isDark?: boolean;
  hasScript?: boolean;
  /**
   * Response statuses from 400 on that the test expects. The browser's console reports them as errors, which
   * the test then ignores.
   */
  refusals?: readonly number[];
}

/** A browser context without cookies and stored data, which can reach only this machine. */
export interface Visit {
  context: BrowserContext;
  page: Page;
  /**
   * Lists the page's faults: requests to other hosts, violations of the content security policy, uses of
   * deprecated names, and console errors.
   */
  faults(): string[];
  close(): Promise<void>;
  /**
   * Closes the context, and throws if the page had faults. The faults are read before the close, because the
   * close aborts requests.
   */
  leave(): Promise<void>;
}

const HEIGHT = 900;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const REFUSED = /^Failed to load resource: the server responded with a status of (\d{3})/;
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) => {
  const place = event.sourceFile + ':' + event.lineNumber;
  reportViolation(event.effectiveDirective + ' ' + event.blockedURI + ' ' + place);
})`;

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
  // The test listens to the event `request` and adds no route, because a context with a route does not cache.
  // The flags of the browser block requests to other hosts.
  context.on('request', (request) => {
    const { protocol, hostname, href } = new URL(request.url());
    if (/^(http|ws)s?:$/.test(protocol) && !LOOPBACK.has(hostname))
      faults.push(`request to another site: ${href}`);
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
