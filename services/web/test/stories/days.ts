import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { addDays } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { z } from 'zod';
import { anOrder, enterForEach, send, world } from '../support/browser-world.ts';

const CARD = { number: '4000000000000010', holder_name: 'Maria', exp_month: 12, exp_year: 35, cvv: '123' };
const cardConfig = z.object({ publicKey: z.string(), tokenizeUrl: z.string() });
const pendingReceivable = z.object({ settlesAt: z.iso.datetime() });

/** The day and the hour of a sale at 01:30 UTC, in different time zones. */
const ZONES = [
  { timeZone: 'UTC', offset: 'UTC', days: 0, hour: '01', lastSecond: '2036-01-01T23:59:59.000Z' },
  {
    timeZone: 'America/Manaus',
    ...{ offset: 'UTC−4', days: -1, hour: '21', lastSecond: '2036-01-02T03:59:59.000Z' },
  },
];

/** These tests move the sandbox's clock and leave the demo account in another time zone. */
export function testDays(): void {
  const visit = enterForEach();
  let utcDay: string;
  let order: string;

  beforeAll(async () => {
    utcDay = addDays(new Date().toISOString().slice(0, 10), 2);
    await world.make('/v1/sandbox/clock', { at: `${utcDay}T01:30:00Z` });
    const sale = anOrder({ amount: 7_700 });
    order = sale.externalId;
    const { id } = await world.make('/v1/charges', sale);
    await world.make(`/v1/charges/${id}/simulate-payment`);
    await world.make('/v1/charges', anOrder({ ...(await byCard()), amount: 8_800 }));
    await eventually(async () => {
      expect(await world.list(`/v1/transactions?search=${order}`)).toHaveLength(2);
      expect(await world.list('/v1/receivables/items')).toHaveLength(1);
    });
  });

  async function byCard() {
    const { publicKey, tokenizeUrl } = cardConfig.parse(await world.read('/v1/charges/card-config'));
    const answer = await fetch(`${tokenizeUrl}?appId=${publicKey}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'card', card: CARD }),
    });
    const { id: cardToken } = z.object({ id: z.string() }).parse(await answer.json());
    return { paymentMethod: 'CARD', cardToken, installments: 1 };
  }

  const dayOfMonth = (day: string) => Number(day.slice(8));

  test.each(ZONES)('puts a 01:30 UTC sale on its day in $timeZone', async (zone) => {
    const { timeZone, offset, days, hour, lastSecond } = zone;
    const { page } = visit;
    await send(visit, 'PATCH', '/api/v1/account', { timeZone });
    const own = addDays(utcDay, days);
    const another = addDays(utcDay, -1 - days);
    const onDay = (list: string, day: string) =>
      page.goto(`/test${list}?from=${day}&to=${day}&search=${order}`);
    const row = page.locator('main tbody tr', { hasText: order }).first();

    await onDay('/statement', another);
    await page.getByRole('heading', { name: 'Nenhum lançamento com estes filtros' }).waitFor();
    await onDay('/statement', own);
    await row.getByText(new RegExp(`^${dayOfMonth(own)} de .*${hour}:3\\d$`)).waitFor();
    await onDay('/charges', another);
    await page.getByRole('heading', { name: 'Nenhuma cobrança com estes filtros' }).waitFor();
    await onDay('/charges', own);
    const title = await row.locator('time').getAttribute('title');
    expect(title).toMatch(new RegExp(`, ${dayOfMonth(own)} de .* ${hour}:3\\d:`));

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Exportar CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`cobranças-${own}.csv`);
    const text = await readFile(await file.path(), 'utf8');
    expect(text).toContain(`Criada em (${timeZone});`);
    expect(text).toContain(order);
    await page.getByLabel(`Período (${offset})`).selectOption('Hoje');
    await page.waitForURL(({ searchParams }) => searchParams.get('from') === own && !searchParams.has('to'));

    await page.goto('/test');
    const sales = page.getByRole('table', { name: 'Volume recebido' }).locator('tbody tr').last();
    await eventually(async () =>
      expect(await sales.textContent()).toMatch(new RegExp(`^${dayOfMonth(own)} de .*R\\$\\s165,00$`)),
    );

    await page.goto('/test/balance');
    const [receivable] = await world.list('/v1/receivables/items');
    const settlesOn = addDays(pendingReceivable.parse(receivable).settlesAt.slice(0, 10), days);
    const cell = page.locator('td', { has: page.locator('[data-settled="false"]') });
    await eventually(async () =>
      expect(await cell.locator('span').first().textContent()).toBe(`${dayOfMonth(settlesOn)}`),
    );

    await page.getByRole('button', { name: /, 1 cobrança$/ }).click();
    await page.getByRole('dialog').getByRole('table').getByRole('link').click();
    await page.waitForURL(`**/test/charges/${receivable?.chargeId}`);

    await page.goto('/test/payment-links/new');
    await page.getByText(`Vale até o fim do dia, no fuso ${offset}.`).waitFor();
    await page.getByLabel('Descrição').fill(`Curso em ${timeZone}`);
    await page.locator('input[name=amount]').fill('9900');
    await page.getByLabel('Válido até').fill('2036-01-01');
    await page.keyboard.press('Enter');
    await page.getByText('1 de jan. de 2036, 23:59').waitFor();
    const [link] = await world.list('/v1/payment-links');
    expect(link).toMatchObject({ description: `Curso em ${timeZone}`, expiresAt: lastSecond });
    await page.goto(`/test/payment-links/${link?.id}/edit`);
    await eventually(async () => expect(await page.getByLabel('Válido até').inputValue()).toBe('2036-01-01'));
  });
}
