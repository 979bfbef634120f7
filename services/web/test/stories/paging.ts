import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { anOrder, enterForEach, paidCharge, world } from '../support/browser-world.ts';

/** Every list with pages, with its API endpoint and a status for its filter. */
const LISTS: readonly { list: string; reads: string; status?: string }[] = [
  { list: '/charges', reads: '/v1/charges', status: 'PENDING' },
  { list: '/payment-links', reads: '/v1/payment-links', status: 'ACTIVE' },
  { list: '/refunds', reads: '/v1/refunds', status: 'REFUNDED' },
  { list: '/disputes', reads: '/v1/disputes', status: 'OPEN' },
  { list: '/statement', reads: '/v1/transactions' },
  { list: '/withdrawals', reads: '/v1/withdrawals', status: 'COMPLETED' },
  { list: '/destinations', reads: '/v1/destinations' },
  { list: '/developers/keys', reads: '/v1/api-keys' },
  { list: '/developers/webhooks/:webhook', reads: '/v1/webhook-deliveries' },
  { list: '/developers/events', reads: '/v1/events' },
  { list: '/developers/requests', reads: '/v1/requests', status: '2xx' },
];

export function testPaging(): void {
  const visit = enterForEach();
  let webhook: unknown;

  beforeAll(async () => {
    ({ id: webhook } = await world.make('/v1/webhook-config', { url: `${world.webUrl}/nobody` }));
    await world.make('/v1/charges', anOrder());
    const paid = await Promise.all([10_000, 10_000].map((amount) => paidCharge({ amount })));
    await eventually(async () => {
      const { availableBalance } = await world.read('/v1/balance');
      expect(availableBalance).toBeGreaterThan(15_000);
    });
    const email = { pixKeyType: 'EMAIL' };
    for (const [at, id] of paid.entries()) {
      await world.make(`/v1/charges/${id}/refund`, { amount: 1_000 });
      await world.make(`/v1/sandbox/charges/${id}/dispute`, { amount: 1_000 });
      await world.make('/v1/payment-links', { description: `Curso ${at}`, amount: 2_500 });
      await world.make('/v1/withdrawals', { amount: 1_000, pixKey: 'ana@exemplo.com.br', ...email });
      await world.make('/v1/destinations', { type: 'PIX', pixKey: `ana${at}@exemplo.com.br`, ...email });
    }
    for (const { reads } of LISTS.filter(({ reads: path }) => path !== '/v1/api-keys')) {
      await eventually(async () => expect((await world.list(reads)).length).toBeGreaterThan(1));
    }
  });

  /** Opens a list. The API answers with one row for each page, so that the list has several pages. */
  async function open(list: string, reads: string) {
    const { page } = visit;
    const pager = page.getByRole('navigation', { name: 'Páginas' });
    await page.route(
      ({ pathname }) => pathname === `/api${reads}`,
      async (route) => {
        const url = new URL(route.request().url());
        url.searchParams.set('limit', '1');
        await route.continue({ url: url.href });
      },
    );
    const path = `/test${list.replace(':webhook', String(webhook))}`;
    return {
      page,
      path,
      goTo: (to: string) => pager.getByRole('link', { name: to }).click(),
      shows: (rows: string) => pager.getByText(new RegExp(`^${rows} de `)).waitFor(),
      query: () => new URL(page.url()).search,
    };
  }

  test('has its page number in the address', async () => {
    const { page, path, goTo, shows, query } = await open('/charges', '/v1/charges');
    await page.goto(path);
    await shows('1');

    await goTo('Próxima');
    await shows('2');
    await page.reload();
    await shows('2');
    await goTo('Anterior');
    await shows('1');
    expect(query()).toBe('');
    await page.goBack();
    await shows('2');
    await page.goBack();
    await shows('1');
    await page.goto(`${path}?page=2`);
    await shows('2');
  });

  test.each(LISTS)('at $list pages forward, back and to its last page', async ({ list, reads }) => {
    const { page, path, goTo, shows, query } = await open(list, reads);
    await page.goto(path);
    await shows('1');
    await goTo('Próxima');
    await shows('2');
    expect(query()).toBe('?page=2');
    await goTo('Anterior');
    await shows('1');

    await page.goto(`${path}?page=99999`);
    await page.getByRole('heading', { name: 'A lista termina antes desta página' }).waitFor();
    await page.getByRole('link', { name: 'Última página' }).click();
    await page.locator('main tbody tr').first().waitFor();
    expect(query()).toMatch(/^\?page=[1-9]\d*$/);
    expect(await page.getByRole('link', { name: 'Próxima' }).count()).toBe(0);
  });

  const filtered = LISTS.filter(({ status }) => status);
  test.each(filtered)('at $list returns to page 1 when it is filtered', async ({ list, reads, status }) => {
    const { page, path, shows, query } = await open(list, reads);
    await page.goto(`${path}?page=2`);
    await shows('2');

    await page.locator('main select[name=status]').selectOption(String(status));
    await shows('1');

    expect(query()).toBe(`?status=${status}`);
  });

  test('of the available balance shows its second page', async () => {
    const { page, path, goTo, shows, query } = await open('/statement', '/v1/statement');
    await page.goto(path);
    const read = page.waitForResponse((response) => response.url().includes('/v1/statement?view=available'));
    await page.locator('main select[name=view]').selectOption('available');
    expect((await read).status()).toBe(200);
    await shows('1');

    await goTo('Próxima');
    await shows('2');

    expect(query()).toBe('?view=available&page=2');
    const cells = page.locator('main tbody tr').first().getByRole('cell');
    expect(await cells.nth(1).textContent()).toMatch(
      /^(?:Recebimento|Devolução|Reserva de contestação|Saque)/,
    );
    expect(await page.locator('main select[name=type], main input[name=find]').count()).toBe(0);
  });

  test('of deliveries returns to page 1 when it is filtered', async () => {
    const { page, path, shows, query } = await open(
      '/developers/webhooks/:webhook',
      '/v1/webhook-deliveries',
    );
    await page.goto(`${path}?page=2`);
    await shows('2');

    await page.getByRole('button', { name: 'Não entregue' }).click();
    await page.waitForURL('**?status=FAILED');

    expect(query()).toBe('?status=FAILED');
  });

  test.each(['001', '1e5', '123', 'true', '[1]', '"x"', 'a b+c'])(
    'searches for %s as it is written',
    async (text) => {
      const { page, query } = await open('/charges', '/v1/charges');
      const sentRequest = page.waitForRequest((request) => request.url().includes('/v1/charges?'));
      const search = `?${new URLSearchParams({ search: text })}`;
      await page.goto(`/test/charges${search}`);
      const found = page.locator('input[name=find]');
      await eventually(async () => expect(await found.inputValue()).toBe(text));
      expect(new URL((await sentRequest).url()).searchParams.get('search')).toBe(text);

      await found.focus();
      await page.keyboard.press('Enter');
      await page.reload();
      await eventually(async () => expect(await found.inputValue()).toBe(text));
      expect(query()).toBe(search);
    },
  );

  test.each(['?from=2026-02-30', '?to=2026-13-01', '?page=1000001', '?page=1.5', '?page=-2', '?page=x'])(
    'ignores the invalid parameter %s',
    async (search) => {
      const { page, path, shows, query } = await open('/charges', '/v1/charges');
      await page.goto(path + search);
      await shows('1');

      expect(query()).toBe('');
    },
  );
}
