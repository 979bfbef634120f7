import { fromDecimal, Refusal, toDecimal } from '@plataforma/kernel';
import { z } from 'zod';
import type { Charge } from '../domain/charge.ts';
import type { Payment } from '../domain/payment.ts';
import { createPixHttp, type PixAccount } from './pix-http.ts';

/** A charge as the provider knows it. `other` is a status this version does not know: nothing may follow from it. */
interface ProviderCharge {
  status: 'active' | 'concluded' | 'removed' | 'other';
  qrCode: string | null;
  payments: Payment[];
}

/** Our side of BACEN's API Pix 2.9.0. Every method refuses with PROVIDER_UNAVAILABLE when the outcome is unknown. */
export interface PixClient {
  /** Makes the charge known under its own txid; doing so again changes nothing. Answers its copy-and-paste code. */
  register(charge: Charge): Promise<string>;
  /** What the provider knows; null when it knows of no such charge. */
  find(txid: string): Promise<ProviderCharge | null>;
  /** Takes an unpaid charge back. False: the provider did not do it; ask why with `find`. */
  remove(txid: string): Promise<boolean>;
}

const amount = z.coerce.string().transform((text, context) => {
  const cents = fromDecimal(text);
  if (cents === null) context.addIssue({ code: 'custom', message: 'is no amount' });
  return cents ?? z.NEVER;
});

const cob = z.object({
  status: z.string(),
  pixCopiaECola: z.string().max(512).optional(),
  pix: z
    .array(
      z.object({
        endToEndId: z.string().min(1).max(64),
        valor: amount,
        horario: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
      }),
    )
    .default([]),
});

const statuses: Record<string, ProviderCharge['status']> = {
  ATIVA: 'active',
  CONCLUIDA: 'concluded',
  REMOVIDA_PELO_USUARIO_RECEBEDOR: 'removed',
  REMOVIDA_PELO_PSP: 'removed',
};

const MAX_NOTE_LENGTH = 140;

export function createPixClient(account: PixAccount): PixClient {
  const http = createPixHttp(account);
  return {
    async register(charge) {
      const answer = await http.send('PUT', `/v2/cob/${charge.txid}`, requestOf(charge, account.pixKey));
      if (answer.status !== 201 && answer.status !== 200)
        throw unusable(`refused the charge with ${answer.status}`);
      const { qrCode } = read(answer.body);
      if (!qrCode) throw unusable('gave the charge no code');
      return qrCode;
    },
    async find(txid) {
      const answer = await http.send('GET', `/v2/cob/${txid}`);
      if (answer.status === 404) return null;
      if (answer.status !== 200) throw unusable(`answered ${answer.status} when asked for a charge`);
      return read(answer.body);
    },
    async remove(txid) {
      const answer = await http.send('PATCH', `/v2/cob/${txid}`, {
        status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR',
      });
      return answer.status === 200;
    },
  };
}

function requestOf(charge: Charge, pixKey: string) {
  const { payerDocument: document, payerName: nome, description } = charge;
  return {
    calendario: { expiracao: Math.round((charge.expiresAt.getTime() - charge.createdAt.getTime()) / 1000) },
    devedor: document.length === 11 ? { cpf: document, nome } : { cnpj: document, nome },
    valor: { original: toDecimal(charge.amount) },
    chave: pixKey,
    ...(description ? { solicitacaoPagador: description.slice(0, MAX_NOTE_LENGTH) } : {}),
  };
}

function read(body: unknown): ProviderCharge {
  const result = cob.safeParse(body);
  if (!result.success) throw unusable('answered a charge of an unknown shape');
  const { status, pixCopiaECola, pix } = result.data;
  return {
    status: statuses[status] ?? 'other',
    qrCode: pixCopiaECola ?? null,
    payments: pix.map(({ endToEndId, valor, horario }) => ({ endToEndId, amount: valor, paidAt: horario })),
  };
}

function unusable(what: string): Refusal {
  return new Refusal('provider_fault', 'PROVIDER_ERROR', `the Pix provider ${what}`);
}
