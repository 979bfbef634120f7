import { fromDecimal } from '@plataforma/kernel';
import type { PlatformFacts } from '@plataforma/local';
import { z } from 'zod';

/** Amounts arrive as text with two decimals. */
const cents = z.string().transform((text) => fromDecimal(text) ?? Number.NaN);

const moment = z.string().transform((text) => new Date(text));

const truth = z.object({
  payments: z.array(
    z.object({
      clientId: z.string(),
      endToEndId: z.string(),
      /** The payer's txid, of a charge or of none. */
      txid: z.string().optional(),
      valor: cents,
      /** When it came. */
      horario: moment,
    }),
  ),
  refunds: z.array(
    z.object({
      clientId: z.string(),
      endToEndId: z.string(),
      /** Chosen by us. */
      id: z.string(),
      valor: cents,
      status: z.string(),
    }),
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
      /** Chosen by the acquirer. */
      id: z.string(),
      code: z.string(),
      amount: z.int(),
      canceledAmount: z.int(),
      status: z.string(),
      chargeback: z.object({ amount: z.int() }).nullable(),
    }),
  ),
  infractions: z.array(
    z.object({
      clientId: z.string(),
      idInfracao: z.string(),
      /** The contested payment's id. */
      endToEndId: z.string(),
      valor: cents,
      /** The receiver's defence. */
      defesa: z
        .object({
          descricao: z.string(),
          documentos: z.array(z.string()),
          /** The ids of its files; a bank of a release before knows none. */
          arquivos: z.array(z.object({ id: z.string() }).transform(({ id }) => id)).default([]),
        })
        .nullable(),
    }),
  ),
});

/** The bank's own record, in cents. */
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

/** The bank of a platform, whose control API nobody but tests may call. */
export function bankOf({ sandboxControlUrl }: Pick<PlatformFacts, 'sandboxControlUrl'>): Bank {
  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const init = { method, headers: { 'content-type': 'application/json' } };
    const response = await fetch(`${sandboxControlUrl}/control${path}`, {
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
