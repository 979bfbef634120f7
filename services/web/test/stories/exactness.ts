import { describe, expect, test } from '@jest/globals';
import { addDays } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { sideScrollOf } from '@plataforma/testing/browser';
import { enterForEach, world } from '../support/browser-world.ts';

export function testExactness(): void {
  const visit = enterForEach();

  test.each([1280, 1024, 768, 390])('shows every cent of receivables at %i pixels', async (width) => {
    const { page } = visit;
    const cents = [125, 123_456, 1_234_567_89];
    const days = daysOf(cents);
    await page.route('**/api/v1/receivables*', async (route) => {
      // The test changes the answer about pending money. The request for settled money gets its real answer.
      if (route.request().url().includes('status=')) return route.fallback();
      const answer = await route.fetch();
      const body = await answer.json();
      await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, days } } });
    });
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/test/balance');
    const table = page.getByRole('table', { name: /^Calendário de recebíveis/ });

    for (const amount of ['1,25', '1.234,56', '1.234.567,89']) {
      await table
        .getByText(new RegExp(`^R\\$\\s${amount}$`))
        .filter({ visible: true })
        .waitFor();
    }
    expect(await sideScrollOf(page, [width])).toEqual([]);
  });

  describe('a period filter', () => {
    const search = () => new URL(visit.page.url()).search;

    async function open(query = '') {
      await visit.page.goto(`/test/charges${query}`);
      if (query === '') await visit.page.locator('select[name=period]').selectOption('own');
      return { from: visit.page.locator('input[name=from]'), to: visit.page.locator('input[name=to]') };
    }

    test('offers days and months of the calendar', async () => {
      const { page } = visit;
      await page.goto('/test/charges');
      const period = page.locator('select[name=period]');
      const today = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
      const month = `${today.slice(0, 8)}01`;
      const nextMonth = `${addDays(month, 31).slice(0, 8)}01`;
      const before = addDays(month, -1);
      const days = {
        Ontem: `?from=${addDays(today, -1)}&to=${addDays(today, -1)}`,
        'Este mês': `?from=${month}&to=${addDays(nextMonth, -1)}`,
        'Mês passado': `?from=${before.slice(0, 8)}01&to=${before}`,
      };

      for (const [label, query] of Object.entries(days)) {
        await period.selectOption(label);
        await eventually(() => expect(search()).toBe(query));
        await page.reload();
        await eventually(async () =>
          expect(await period.locator('option:checked').textContent()).toBe(label),
        );
      }
    });

    test('applies a date only once it is complete', async () => {
      const { page } = visit;
      const { from, to } = await open();
      await from.focus();
      await page.keyboard.type('11152025', { delay: 20 });
      expect([await from.inputValue(), search()]).toEqual(['2025-11-15', '']);
      await page.keyboard.press('Enter');
      await page.waitForURL('**?from=2025-11-15');
      await to.focus();
      await page.keyboard.type('12012025');
      await page.locator('input[name=find]').focus();
      await page.waitForURL('**?from=2025-11-15&to=2025-12-01');
      await page.reload();
      await eventually(async () => expect(await to.inputValue()).toBe('2025-12-01'));
      expect(await from.inputValue()).toBe('2025-11-15');

      await page.goBack();
      await eventually(async () => expect(await to.inputValue()).toBe(''));
    });

    test.each([
      ['from', '12052025', '2025-12-05', '2025-12-05'],
      ['from', '11052025', '2025-11-05', '2025-11-10'],
      ['to', '10202025', '2025-10-20', '2025-10-20'],
    ])('with %s at %s moves the other end if needed', async (end, keys, first, last) => {
      const { page } = visit;
      const { from, to } = await open('?from=2025-11-01&to=2025-11-10');
      await page.locator(`input[name=${end}]`).focus();
      await page.keyboard.type(keys);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**?from=${first}&to=${last}`);

      await eventually(async () =>
        expect([await from.inputValue(), await to.inputValue()]).toEqual([first, last]),
      );
    });

    test('shows the applied day after a partial date', async () => {
      const { page } = visit;
      const { from } = await open('?from=2025-11-01');
      await from.focus();
      await page.keyboard.type('120520');
      await page.locator('input[name=find]').focus();

      expect([await from.inputValue(), search()]).toEqual(['2025-11-01', '?from=2025-11-01']);
    });

    test('applies a picked date at once', async () => {
      const { from } = await open('?from=2025-11-01');
      await from.fill('2025-12-05');
      await visit.page.waitForURL('**?from=2025-12-05');
    });
  });

  test('offers cards in a link only to accounts with cards', async () => {
    const { page } = visit;
    const settings = `/v1/admin/merchants/${await world.merchantId()}/settings`;
    const offered = async (path: string) => {
      await page.goto(path);
      await page.getByLabel('Pix', { exact: true }).waitFor();
      return page.getByLabel('Cartão', { exact: true }).isEnabled();
    };
    await world.operate(settings, { cardEnabled: false }, 'PATCH');
    const without = [await offered('/payment-links/new'), await offered('/test/payment-links/new')];
    await world.operate(settings, { cardEnabled: true }, 'PATCH');

    expect([...without, await offered('/payment-links/new')]).toEqual([false, true, true]);
  });
}

function daysOf(cents: readonly number[]): object[] {
  const month = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 7);
  return cents.map((amount, at) => ({ date: `${month}-1${at}`, paymentMethod: 'CARD', count: 1, amount }));
}
