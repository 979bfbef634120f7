import type { Visit } from '@plataforma/testing/browser';
import { world } from './browser-world.ts';

type Page = Visit['page'];

export const PAYER = { payerName: 'Maria da Silva', payerDocument: '123.456.789-09' };
export const PAID = { name: 'Pagamento confirmado' };

export interface Link {
  id: string;
  slug: string;
  path: string;
}

export async function newLink(changes: object = {}): Promise<Link> {
  const body = { description: 'Aula', amount: 4_990, ...changes };
  const { id, slug } = await world.make('/v1/payment-links', body);
  return { id: String(id), slug: String(slug), path: `/pay/l/${slug}` };
}

export async function sayWho(page: Page, way = 'Pagar com Pix'): Promise<void> {
  await page.getByLabel('Nome completo').fill(PAYER.payerName);
  await page.getByLabel('CPF ou CNPJ').fill(PAYER.payerDocument);
  await page.getByRole('button', { name: way }).click();
}

export async function writeCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Número do cartão').fill(number);
  await page.getByLabel('Validade').fill('0930');
  await page.getByLabel('Código (CVV)').fill('123');
  await page.getByLabel('Nome impresso no cartão').fill('MARIA DA SILVA');
}

/**
 * Types a card, then switches the language. Returns the card number that the field still contains, and the
 * language of the page.
 */
export async function writeCardThenReadEnglish(page: Page): Promise<[number: string, language: unknown]> {
  await writeCard(page, '4000000000000010');
  await page.getByRole('link', { name: 'English' }).click();
  await page.getByRole('button', { name: /^Pay R\$/ }).waitFor();
  const written = await page.getByLabel('Card number').inputValue();
  return [written, await page.evaluate('document.documentElement.lang')];
}

/** Returns the charges of a link, newest first. */
export async function chargesOf({ id }: Link): Promise<Record<string, unknown>[]> {
  return world.list(`/v1/charges?limit=20&paymentLinkId=${id}`);
}
