import { fromDecimal, Refusal, toDecimal } from '@plataforma/kernel';
import { z } from 'zod';
import type { Charge } from '../domain/charge.ts';
import type { Payment } from '../domain/payment.ts';
import { createPixHttp, type PixAccount } from './pix-http.ts';

/**
 * A charge as the provider knows it. `other` is a status this version does not know: nothing may follow from
 * it.
 */
export interface ProviderCharge {
  status: 'active' | 'concluded' | 'removed' | 'other';
  qrCode: string | null;
  payments: Payment[];
}

/**
 * Our side of BACEN's API Pix 2.9.0. Every method refuses with PROVIDER_UNAVAILABLE when the outcome is
 * unknown, and with PROVIDER_ERROR when the answer is of no use.
 */
export interface PixClient {
  /**
   * Makes the charge known under its own txid; doing so again changes nothing. Answers its copy-and-paste
   * code.
   */
  register(charge: Charge, expiresInSeconds: number): Promise<string>;
  /** What the provider knows; null when it knows of no such charge. */
  find(txid: string): Promise<ProviderCharge | null>;
  /** Takes an unpaid charge back. False: the provider did not do it; ask why with `find`. */
  remove(txid: string): Promise<boolean>;
}

const amount = z.string().transform((text, context) => {
  const cents = fromDecimal(text);
  if (!cents) context.addIssue({ code: 'custom', message: 'is no amount' });
  return cents ?? z.NEVER;
});

const cob = z.object({
  txid: z.string().optional(),
  status: z.string(),
  // A code of no use is no code: the payments beside it still count.
  pixCopiaECola: z.string().max(512).optional().catch(undefined),
  pix: z
    .array(
      z.object({
        endToEndId: z.string().regex(/^[\x21-\x7e]{1,64}$/),
        valor: amount,
        horario: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
      }),
    )
    .default([]),
});

const REMOVED_BY_US = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';

const statuses = new Map<string, ProviderCharge['status']>([
  ['ATIVA', 'active'],
  ['CONCLUIDA', 'concluded'],
  [REMOVED_BY_US, 'removed'],
  ['REMOVIDA_PELO_PSP', 'removed'],
]);

const MAX_NOTE_LENGTH = 140;

export function createPixClient(account: PixAccount): PixClient {
  const http = createPixHttp(account);
  const pathOf = (txid: string) => `/v2/cob/${txid}`;

  async function find(txid: string): Promise<ProviderCharge | null> {
    const answer = await http.send({ method: 'GET', path: pathOf(txid) });
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw unusable(`answered ${answer.status} when asked for a charge`);
    return read(answer.body, txid);
  }

  return {
    async register(charge, expiresInSeconds) {
      const body = requestOf(charge, { pixKey: account.pixKey, expiresInSeconds });
      const answer = await http.send({ method: 'PUT', path: pathOf(charge.txid), body });
      const isTaken = answer.status === 201 || answer.status === 200;
      // Some providers refuse to be told of a charge twice, and the first time may have been ours.
      const known = isTaken ? read(answer.body, charge.txid) : await find(charge.txid);
      if (!known) throw unusable(`refused the charge with ${answer.status}`);
      if (!known.qrCode) throw unusable('gave the charge no code');
      return known.qrCode;
    },
    find,
    async remove(txid) {
      const body = { status: REMOVED_BY_US };
      const answer = await http.send({ method: 'PATCH', path: pathOf(txid), body });
      return answer.status === 200 && cob.safeParse(answer.body).data?.status === REMOVED_BY_US;
    },
  };
}

function requestOf(
  charge: Charge,
  { pixKey, expiresInSeconds }: { pixKey: string; expiresInSeconds: number },
) {
  const { payerDocument: document, payerName: nome, description } = charge;
  return {
    calendario: { expiracao: expiresInSeconds },
    devedor: document.length === 11 ? { cpf: document, nome } : { cnpj: document, nome },
    valor: { original: toDecimal(charge.amount) },
    chave: pixKey,
    ...(description ? { solicitacaoPagador: noteOf(description) } : {}),
  };
}

/** Cut to what API Pix takes, and not through the middle of a character. */
function noteOf(description: string): string {
  return description.slice(0, MAX_NOTE_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

function read(body: unknown, txid: string): ProviderCharge {
  const result = cob.safeParse(body);
  if (!result.success) throw unusable('answered a charge of an unknown shape');
  const { status, pixCopiaECola, pix } = result.data;
  if ((result.data.txid ?? txid) !== txid) throw unusable('answered another charge than the one asked for');
  return {
    status: statuses.get(status) ?? 'other',
    qrCode: pixCopiaECola ?? null,
    payments: pix.map(({ endToEndId, valor, horario }) => ({ endToEndId, amount: valor, paidAt: horario })),
  };
}

function unusable(what: string): Refusal {
  return new Refusal('provider_fault', 'PROVIDER_ERROR', `the Pix provider ${what}`);
}
