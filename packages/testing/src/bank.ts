import { fromDecimal } from '@plataforma/kernel';
import type { PlatformFacts } from '@plataforma/local';
import { z } from 'zod';

/** Parses an amount with two decimals, such as "12.34", to cents. */
const cents = z.string().transform((text) => fromDecimal(text) ?? Number.NaN);

const moment = z.string().transform((text) => new Date(text));

const truth = z.object({
  payments: z.array(
    z.object({
      clientId: z.string(),
      endToEndId: z.string(),
      /** The txid that the payer gave. A charge with this txid need not exist. */
      txid: z.string().optional(),
      valor: cents,
      horario: moment,
    }),
  ),
  refunds: z.array(
    z.object({
      clientId: z.string(),
      endToEndId: z.string(),
      /** The id that the platform chose for the refund. */
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
      /** The id that the acquirer chose for the charge. */
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
      /** The end-to-end id of the disputed payment. */
      endToEndId: z.string(),
      valor: cents,
      defesa: z
        .object({
          descricao: z.string(),
          documentos: z.array(z.string()),
          /**
           * The ids of the evidence files. The default serves a sandbox of an earlier release, which does not
           * send the field.
           */
          arquivos: z.array(z.object({ id: z.string() }).transform(({ id }) => id)).default([]),
        })
        .nullable(),
    }),
  ),
});

/** All records of the sandbox provider; amounts are in cents. */
export type Truth = z.infer<typeof truth>;

export interface Bank {
  /** Calls a route of the sandbox provider's control API, which acts as payers, card holders and banks. */
  control(path: string, body?: object): Promise<unknown>;
  /** Makes the next `times` calls of the operation fail with the fault. */
  breaks(operation: string, fault: string, times?: number): Promise<unknown>;
  /** Removes the ordered faults that have not happened yet. */
  heals(): Promise<unknown>;
  truth(): Promise<Truth>;
}

/**
 * Returns a client of the sandbox provider's control API, which only tests and the platform's sandbox may
 * call.
 */
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
