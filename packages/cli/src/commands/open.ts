import { ConnectionError } from '@plataforma/sdk';
import { requireApi, webAddress } from '../addresses.ts';
import type { Command, Connection } from '../context.ts';
import { readProfile } from '../profiles.ts';
import { WrongUse } from '../wrong-use.ts';

const pages: Record<string, string> = {
  '': '/',
  charges: '/charges',
  withdrawals: '/withdrawals',
  balance: '/balance',
  statement: '/statement',
  disputes: '/disputes',
  webhooks: '/developers/webhooks',
  keys: '/developers/keys',
  events: '/developers/events',
  requests: '/developers/requests',
  sandbox: '/sandbox',
};
const withId: Record<string, string> = {
  charge: '/charges/',
  withdrawal: '/withdrawals/',
  dispute: '/disputes/',
};
const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' };

/** Prints the address of a dashboard page, and opens it in a browser. */
export const open: Command = {
  takes: '[charge <id>|webhooks|keys|…]',
  candidates: [...Object.keys(pages).filter(Boolean), ...Object.keys(withId)],
  async run({ operands, words, terminal, profile, isLive }) {
    const { baseUrl } = readProfile(profile);
    if (!baseUrl) throw new WrongUse(words.needsLogin);
    const [pageName = '', id = ''] = operands;
    const page = pages[pageName] ?? (withId[pageName] && id && withId[pageName] + encodeURIComponent(id));
    if (!page) throw new WrongUse(words.usage(`open ${open.takes}`));
    const site = await dashboardOf({ baseUrl });
    if (site === null) await requireApi(baseUrl, words);
    if (site === null) throw new WrongUse(words.noDashboard(baseUrl));
    const url = site + (isLive ? '' : '/test') + (page === '/' && !isLive ? '' : page);
    terminal.print(url);
    const program = process.env.BROWSER || (openers[process.platform] ?? 'xdg-open');
    const { spawn } = await import('node:child_process');
    // Ignore a failure to start the browser, because the user can open the printed address.
    spawn(program, [url], { stdio: 'ignore', detached: true })
      .on('error', () => undefined)
      .unref();
  },
};

/** Returns the address to which the API redirects browsers, or null if that address is not a web page. */
export async function dashboardOf({ baseUrl }: Pick<Connection, 'baseUrl'>): Promise<string | null> {
  const request = fetch(baseUrl, { redirect: 'manual', headers: { accept: 'text/html' } });
  const { headers } = await request.catch((cause) => {
    throw new ConnectionError(cause);
  });
  return webAddress(headers.get('location') ?? '')?.href.replace(/\/+$/, '') ?? null;
}
