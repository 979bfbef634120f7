import { type AddressOf, headerOf } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { networkOf, siteOf } from '@plataforma/kernel/addresses';
import type { Log } from '@plataforma/observe';
import express, { type Express, type Request, type Response } from 'express';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { metrics } from '../metrics.ts';
import { REPORTS } from './policy.ts';

const BODY_LIMIT = '8kb';
const MINUTE_MS = 60_000;
const PER_ADDRESS = 20;
/** The maximum length of a report's text in a log line, because any caller can forge a report. */
const LONGEST_TEXT = 200;

const text = z.string().default('');
const report = z.object({
  'csp-report': z.object({
    'document-uri': text,
    'effective-directive': text,
    'violated-directive': text,
    'blocked-uri': text,
    'source-file': text,
  }),
});
type Report = z.infer<typeof report>['csp-report'];

const DIRECTIVES = ['script', 'style', 'connect', 'form-action', 'frame', 'trusted-types'] as const;
type Directive = (typeof DIRECTIVES)[number] | 'other';

const counted = metrics.recorder('plataforma_web_policy_reports_total', everySeries());

interface Collecting {
  log: Log;
  addressOf: AddressOf;
  /** The limit of reports from all addresses together. */
  perMinute: number;
}

/**
 * Counts the policy violations that browsers report, and logs each kind once a minute. Browsers send these
 * reports without credentials, so the service limits the reports of each address and of all addresses
 * together.
 */
export function policyReportRoutes(app: Express, { log, addressOf, perMinute }: Collecting): void {
  const isAdmitted = reportLimit(perMinute);
  const logged = new LRUCache<string, true>({ max: 1_000, ttl: MINUTE_MS });
  const read = express.json({ limit: BODY_LIMIT, type: 'application/csp-report' });

  function admit(req: Request, res: Response): void {
    const site = headerOf(req, 'sec-fetch-site') ?? 'same-origin';
    if (site !== 'same-origin')
      throw new Refusal('forbidden', 'FORBIDDEN', 'the request does not come from a page of this service');
    if (!isAdmitted(addressOf(req))) {
      res.set({ 'Retry-After': '60', Connection: 'close' });
      throw new Refusal('limited', 'RATE_LIMITED', 'too many reports; try again in 60 seconds');
    }
  }

  app.post(
    REPORTS,
    (req, res, next) => {
      admit(req, res);
      next();
    },
    read,
    (req, res) => {
      const given = report.safeParse(req.body);
      if (!given.success) throw new Refusal('invalid', 'VALIDATION_ERROR', 'csp-report: is missing');
      const { labels, line } = labelsAndLineOf(given.data['csp-report']);
      counted(labels, 1);
      const key = JSON.stringify(line);
      if (!logged.has(key)) log.warn(line, 'page policy blocked content');
      logged.set(key, true);
      res.status(204).end();
    },
  );
}

/**
 * Limits the reports of each network and of all networks. After its first report in a minute, an IPv4 address
 * or IPv6 /48 may use only half of the total. The other half is for first reports.
 */
function reportLimit(perMinute: number): (address: string) => boolean {
  const count = minuteCounter();
  return (address) => {
    if (count(`of ${networkOf(address)}`) > PER_ADDRESS) return false;
    if (count(`at ${siteOf(address)}`) > 1 && count('repeated') > perMinute / 2) return false;
    return count('all') <= perMinute;
  };
}

/** Returns a function that counts the calls for a key. A count starts again a minute after its first call. */
function minuteCounter(): (key: string) => number {
  const windows = new LRUCache<string, { taken: number }>({ max: 10_000, ttl: MINUTE_MS });
  return (key) => {
    const window = windows.get(key) ?? { taken: 0 };
    if (window.taken === 0) windows.set(key, window);
    window.taken += 1;
    return window.taken;
  };
}

/**
 * Returns the labels and the log line of a report. Neither contains a query, a fragment or a sample of a
 * page's text.
 */
function labelsAndLineOf(given: Report) {
  const directive = given['effective-directive'] || given['violated-directive'];
  const blocked = given['blocked-uri'];
  const labels = {
    page: pathOf(given['document-uri']).startsWith('/pay/') ? 'checkout' : 'dashboard',
    directive: directiveOf(directive),
    blocked: [blocked, given['source-file']].some(isExtension) ? 'extension' : 'other',
  };
  const document = pathOf(given['document-uri']);
  return {
    labels,
    line: { ...labels, document, what: addressIn(blocked), by: addressIn(given['source-file']) },
  };
}

/**
 * Browser extensions add content of any kind to pages. Reports about extensions get their own label, so that
 * they raise no alarm.
 */
function isExtension(address: string): boolean {
  return /^(?:[a-z]+-)*extension\b/.test(address);
}

function directiveOf(directive: string): Directive {
  return DIRECTIVES.find((each) => directive.startsWith(each)) ?? 'other';
}

function everySeries() {
  const directives: Directive[] = [...DIRECTIVES, 'other'];
  return ['checkout', 'dashboard'].flatMap((page) =>
    directives.flatMap((directive) =>
      ['extension', 'other'].map((blocked) => ({ page, directive, blocked })),
    ),
  );
}

const pathOf = (address: string) => (URL.parse(address)?.pathname ?? '').slice(0, LONGEST_TEXT);

/** For content without an address, browsers report a word such as `inline`, `eval` or `data`. */
function addressIn(given: string): string {
  const url = URL.parse(given);
  const withoutQuery = url === null || url.host === '' ? given.split(/[:?#]/)[0] : url.origin + url.pathname;
  return (withoutQuery ?? '').slice(0, LONGEST_TEXT);
}
