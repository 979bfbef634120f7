import type { Visit } from '@plataforma/testing/browser';

type Page = Visit['page'];

/** Fills in the form for a new charge of R$ 49,90, but does not send it. */
export async function fillCharge(page: Page): Promise<void> {
  await page.goto('/test/charges/new');
  await page.locator('input[name=amount]').fill('4990');
  await page.locator('input[name=payerName]').fill('João Pereira');
  await page.locator('input[name=payerDocument]').fill('12345678909');
}

/** Opens the second step of a withdrawal to the given Pix key. */
export async function withdrawTo(page: Page, pixKey: string, type = 'EMAIL'): Promise<void> {
  await page.goto('/test/withdrawals/new');
  await page.getByRole('button', { name: 'Chave Pix' }).click();
  await page.locator('select[name=pixKeyType]').selectOption(type);
  await page.locator('input[name=pixKey]').fill(pixKey);
  await page.keyboard.press('Enter');
}

/** Returns how many pixels of the table's width are visible only after scrolling. */
export function hiddenOf(table: ReturnType<Page['locator']>): Promise<number> {
  return table.evaluate(({ parentElement: around }) =>
    around ? around.scrollWidth - around.clientWidth : 0,
  );
}
