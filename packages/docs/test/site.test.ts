import { beforeAll, describe, expect, test } from '@jest/globals';
import { endpoints, errorCatalogue } from '@plataforma/contracts';
import MiniSearch from 'minisearch';
import { type Found, searchIn, searchOptions } from '../src/search-options.ts';
import { builtSite } from './support/built-site.ts';

let site: ReadonlyMap<string, string>;
let pages: [string, string][];

beforeAll(async () => {
  site = await builtSite();
  pages = [...site].filter(([path]) => path.endsWith('.html'));
});

const idsIn = (html: string) => new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
const hrefsIn = (html: string) =>
  [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, href = '']) => href);

/** Paths that the gateway serves but that are not files of the site. */
const BESIDE = ['/openapi.json', '/collection.json'];

/** Returns the path of the file that the site serves at an address below `/docs/`. */
function fileOf(path: string): string {
  const own = path.slice('/docs/'.length);
  return own.endsWith('/') ? `${own}index.html` : site.has(own) ? own : `${own}.html`;
}

function isBroken(from: string, href: string): boolean {
  if (href === 'data:,' || BESIDE.includes(href)) return false;
  const { origin, pathname, hash } = new URL(href, `http://docs.test/docs/${from.replace(/\.html$/, '')}`);
  if (origin !== 'http://docs.test') return !/^https:$/.test(new URL(href).protocol);
  if (/\/assets\/.+\.woff2$/.test(pathname)) return false;
  const target = site.get(fileOf(pathname));
  return target === undefined || (hash !== '' && !idsIn(target).has(decodeURIComponent(hash.slice(1))));
}

describe('every page of the docs', () => {
  test('links only to existing pages and anchors', () => {
    const broken = pages.flatMap(([from, html]) =>
      hrefsIn(html)
        .filter((href) => isBroken(from, href))
        .map((href) => `${from}: ${href}`),
    );

    expect(pages.length).toBeGreaterThan(70);
    expect(broken).toEqual([]);
  });

  test('exists in both languages, linked by the switch', () => {
    const slugsOf = (language: string) =>
      pages.filter(([path]) => path.startsWith(`${language}/`)).map(([path]) => path.slice(3));
    const switches = pages.map(([path, html]) => {
      const [, href = ''] = /<a class="language"[^>]*href="([^"]+)"/.exec(html) ?? [];
      return [path.slice(3), fileOf(href).slice(3)];
    });

    expect(slugsOf('pt').toSorted()).toEqual(slugsOf('en').toSorted());
    expect(switches.filter(([from, to]) => from !== to)).toEqual([]);
  });

  test('has no duplicate id', () => {
    const twice = pages.flatMap(([path, html]) => {
      const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
      return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${path}: ${id}`);
    });

    expect(twice).toEqual([]);
  });

  test('has no inline script or style and no external files', () => {
    const inline = pages.filter(([, html]) => /<script(?![^>]* src=)|<style|\sstyle="|\son\w+="/.test(html));
    const loaded = pages.flatMap(([, html]) =>
      [...html.matchAll(/<(?:script|link rel="(?:stylesheet|preload)"|img)[^>]*(?:src|href)="([^"]*)"/g)].map(
        ([, address = '']) => address,
      ),
    );

    expect(inline.map(([path]) => path)).toEqual([]);
    expect(loaded.filter((address) => !address.startsWith('/docs/assets/'))).toEqual([]);
    expect(
      [...site].filter(([path, text]) => /\.css$/.test(path) && /url\(["']?(?:https?:)?\/\//.test(text)),
    ).toEqual([]);
  });
});

test('every endpoint, error and event is in the reference', () => {
  const all = [...pages].filter(([path]) => path.startsWith('pt/reference/')).map(([, html]) => html);
  const shown = all.flatMap((html) =>
    [...html.matchAll(/<p class="line"><span class="method[^>]*>(\w+)<\/span><code>([^<]+)/g)].map(
      ([, method, path]) => `${method} ${path}`,
    ),
  );
  const errors = idsIn(site.get('pt/reference/errors.html') ?? '');

  expect(shown.toSorted()).toEqual(
    endpoints
      .map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`)
      .toSorted(),
  );
  expect(Object.keys(errorCatalogue).filter((code) => !errors.has(code))).toEqual([]);
  expect(idsIn(site.get('en/reference/events.html') ?? '')).toContain('charge.paid');
});

describe('the search', () => {
  const find = (language: string, query: string) => {
    const index = MiniSearch.loadJSON<Found>(site.get(`search-${language}.json`) ?? '', searchOptions);
    return searchIn(index, query).map(({ address }) => String(address));
  };

  test.each([
    ['pt', 'entregas webhooks', '/docs/pt/reference/webhook-deliveries#'],
    ['en', 'refund a charge', '/docs/en/reference/refunds#refundCharge'],
    ['pt', 'devolucoes', '/docs/pt/reference/refunds#'],
    ['pt', 'cartão recusado', '/docs/pt/reference/errors#CARD_DECLINED'],
    ['en', 'RATE_LIMITED', '/docs/en/reference/errors#RATE_LIMITED'],
    ['en', 'charge.paid', '/docs/en/reference/events#charge.paid'],
    ['en', 'payerDocument', '/docs/en/reference/charges#createCharge'],
  ])('finds in %s: %s', (language, query, address) => {
    expect(find(language, query).filter((found) => found.startsWith(address))).not.toEqual([]);
  });

  test.each([
    ['pt', 'reembolso', 'refunds'],
    ['pt', 'parcelamento', '/docs/pt/cards#'],
    ['pt', 'simular pagamento', '#simulatePayment'],
    ['pt', 'cobrar cartão', '/docs/pt/cards'],
    ['pt', 'como receber webhook', '/docs/pt/webhooks#receba-o-primeiro'],
    ['en', 'how to get a chargeback zzzz', 'disputes'],
  ])('ranks the page in %s in the top three: %s', (language, query, address) => {
    expect(find(language, query).slice(0, 3)).toContainEqual(expect.stringContaining(address));
  });

  test('explains an unsupported payment method and ignores nonsense', () => {
    expect(find('pt', 'boleto')).not.toEqual([]);
    expect(find('pt', 'xzqwk')).toEqual([]);
  });
});

test('llms.txt links each page as existing Markdown', () => {
  const list = site.get('llms.txt') ?? '';
  const addresses = [...list.matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, address = '']) => address);
  const english = [...site.keys()].filter((path) => path.startsWith('en/') && path.endsWith('.md'));

  expect(addresses.filter((address) => !site.has(address.slice('/docs/'.length)))).toEqual([]);
  expect(english.filter((path) => !addresses.includes(`/docs/${path}`))).toEqual([]);
  expect(list).toMatch(/^# Plataforma\n\n> /);
  expect(site.get('llms-full.txt')).toContain('## Create a charge');
});

test('llms-full.txt marks the pages for operators', () => {
  expect(site.get('llms-full.txt')).toContain(
    '# Back up and restore\n\nFor operators: docs/operate/restore.md\n\n',
  );
});
