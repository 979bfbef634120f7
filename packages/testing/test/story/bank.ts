import { z } from 'zod';
import type { Client } from './client.ts';

export const CARD = {
  approved: '4000000000000010',
  insufficientFunds: '4000000000000028',
  approvedTooLate: '4000000000000051',
  declinedTooLate: '4000000000000069',
} as const;

/** Exchanges card data for a token, at the URL that the API returns for browsers (`card-config`). */
export async function cardToken(
  merchant: Client,
  { number, holder }: { number: string; holder: string },
): Promise<string> {
  const { data } = await merchant.get('/v1/charges/card-config');
  const card = { number, holder_name: holder, exp_month: 12, exp_year: 35, cvv: '123' };
  const response = await fetch(`${data.tokenizeUrl}?appId=${data.publicKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://loja.test' },
    body: JSON.stringify({ type: 'card', card }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`the tokenization answered ${response.status}: ${text}`);
  return z.object({ id: z.string() }).parse(JSON.parse(text)).id;
}

export function tokenOf(merchant: Client, number: string): Promise<string> {
  return cardToken(merchant, { number, holder: 'Maria da Silva' });
}
