import { fromDecimal } from '@plataforma/kernel';
import { z } from 'zod';
import type { Platform } from '../../src/index.ts';
import type { Client } from './client.ts';

export const CARD = {
  approved: '4000000000000010',
  insufficientFunds: '4000000000000028',
  approvedTooLate: '4000000000000051',
  declinedTooLate: '4000000000000069',
} as const;

const cents = z.string().transform((text) => fromDecimal(text) ?? Number.NaN);

const truth = z.object({
  payments: z.array(
    z.object({
      clientId: z.string(),
      endToEndId: z.string(),
      txid: z.string().optional(),
      valor: cents,
    }),
  ),
  refunds: z.array(
    z.object({ clientId: z.string(), endToEndId: z.string(), valor: cents, status: z.string() }),
  ),
  payouts: z.array(
    z.object({
      clientId: z.string(),
      idEnvio: z.string(),
      endToEndId: z.string(),
      valor: cents,
      status: z.string(),
      favorecido: z.object({ chave: z.string() }),
    }),
  ),
  cardCharges: z.array(
    z.object({
      clientId: z.string(),
      code: z.string(),
      amount: z.int(),
      canceledAmount: z.int(),
      status: z.string(),
    }),
  ),
});

export type Truth = z.infer<typeof truth>;

export interface Bank {
  /** The control API of the sandbox provider: payers, card holders and bad luck. */
  control(path: string, body?: object): Promise<unknown>;
  /** That many next calls of the operation go wrong. */
  breaks(operation: string, fault: string, times?: number): Promise<unknown>;
  /** Forgets what was still to go wrong. */
  heals(): Promise<unknown>;
  truth(): Promise<Truth>;
}

export function bankOf({ facts }: Platform): Bank {
  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const init = { method, headers: { 'content-type': 'application/json' } };
    const response = await fetch(`${facts.sandboxControlUrl}/control${path}`, {
      ...init,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  }

  return {
    control: (path, body = {}) => call('POST', path, body),
    breaks: (operation, fault, times = 1) => call('POST', '/faults', { operation, fault, times }),
    heals: () => call('DELETE', '/faults'),
    truth: async () => truth.parse(await call('GET', '/truth')),
  };
}

/** Does what a buyer's browser does: hands a card to the tokenization endpoint that card-config names. */
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
  return z.object({ id: z.string() }).parse(await response.json()).id;
}

export function tokenOf(merchant: Client, number: string): Promise<string> {
  return cardToken(merchant, { number, holder: 'Maria da Silva' });
}
