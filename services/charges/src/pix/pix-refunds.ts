import type { Gate } from '@plataforma/http';
import { type Cents, readDecimal, toDecimal } from '@plataforma/kernel';
import { z } from 'zod';
import type { FoundRefund, RefundOutcome } from '../domain/refund-outcome.ts';
import type { PixHttp } from './pix-http.ts';
import { presentable, reasonOf, unusable } from './pix-problem.ts';

export interface RefundName {
  /** The end-to-end id of the returned payment. */
  endToEndId: string;
  /** The platform's id of the refund, at most 35 letters and digits. The provider refunds an id only once. */
  id: string;
}

export interface RefundOrder extends RefundName {
  amount: Cents;
}

const devolucao = z.object({
  id: z.string().nullish(),
  // An rtrId of an unknown shape counts as missing, because an error would hide the state of the refund.
  rtrId: z
    .string()
    .regex(/^D[a-zA-Z0-9]{31}$/)
    .nullish()
    .catch(undefined),
  status: z.string(),
  valor: z.string().nullish().catch(undefined),
  motivo: z.string().nullish().catch(undefined),
});

/**
 * Only these statuses mean that the provider refuses a refund. With a 404, a server of the provider may not
 * know the payment yet. With a conflict, an earlier request may have used the id.
 */
const VERDICTS = new Set([400, 422]);

/** Orders and finds refunds (`/pix/{e2eid}/devolucao/{id}`). */
export function createPixRefunds(http: PixHttp) {
  async function findRefund(name: RefundName): Promise<FoundRefund | null> {
    const answer = await http.send({ method: 'GET', path: pathOf(name) });
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw unusable(`answered ${answer.status} when asked for a refund`);
    return read(answer.body, name.id);
  }

  return {
    findRefund,
    async refund(order: RefundOrder, gate: Gate): Promise<RefundOutcome> {
      const body = { valor: toDecimal(order.amount) };
      const answer = await http.send({ method: 'PUT', path: pathOf(order), body, gate });
      if (answer.status === 200 || answer.status === 201) return read(answer.body, order.id);
      // Read the refund first. Some providers refuse an id that they already know, and an earlier request
      // may have used the id.
      const existing = await findRefund(order);
      if (existing) return existing;
      if (!VERDICTS.has(answer.status)) throw unusable(`answered ${answer.status} when asked to refund`);
      return { state: 'refused', reason: presentable(reasonOf(answer.body)) };
    },
  };
}

function pathOf({ endToEndId, id }: RefundName): string {
  return `/v2/pix/${encodeURIComponent(endToEndId)}/devolucao/${encodeURIComponent(id)}`;
}

/** Reads the state of a refund. An unknown status counts as accepted, because accepted is not final. */
function read(body: unknown, id: string): FoundRefund {
  const result = devolucao.safeParse(body);
  if (!result.success) throw unusable('answered a refund of an unknown shape');
  const { rtrId: reference = null, status, valor, motivo } = result.data;
  if ((result.data.id || id) !== id) throw unusable('answered another refund than the one asked for');
  if (status === 'DEVOLVIDO') return { state: 'done', reference, amount: readDecimal(valor ?? '') || null };
  if (status === 'NAO_REALIZADO') return { state: 'failed', reason: presentable(motivo ?? undefined) };
  return { state: 'accepted', reference };
}
