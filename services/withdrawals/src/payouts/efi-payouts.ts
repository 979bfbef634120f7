import {
  type ClientTls,
  createAuthorizedExchange,
  type PeerAnswer,
  type ProviderExchange,
} from '@plataforma/http';
import { type Cents, Refusal, readDecimal, toDecimal, visibleLine } from '@plataforma/kernel';
import { z } from 'zod';
import { failureReasonOf } from '../domain/failure-reason.ts';
import type { FoundOutcome } from '../domain/payout.ts';
import {
  LONGEST_NAME,
  ownerDocuments,
  type RecipientClient,
  recipientIn,
  recipientRequest,
} from './efi-recipients.ts';
import { AnotherAmount, type OrderedPayout, type PayoutClient } from './payout-client.ts';

export interface EfiAccount {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** The platform's own Pix key, from which payouts are paid. */
  pixKey: string;
  /** The time limit for a request until its whole response has arrived, in milliseconds. */
  timeoutMs: number;
  tls?: ClientTls;
}

const txId = z
  .string()
  .regex(/^[\x21-\x7e]{1,64}$/)
  .optional()
  .catch(undefined);
/**
 * The payee's name and document in the provider's answer (Efí, `favorecido.identificacao`). The provider
 * takes them from the DICT.
 */
const payee = z
  .object({ identificacao: z.object({ nome: z.string().transform(visibleLine), ...ownerDocuments }) })
  .optional()
  .catch(undefined);
const taken = z.object({ idEnvio: z.string(), e2eId: txId });
const sent = z.object({
  idEnvio: z.string(),
  // Efí omits this id for some payouts that failed or have just begun.
  endToEndId: txId,
  // Efí may send a number instead of a text. The number has no trailing zeros, and `readDecimal` accepts such
  // a text.
  valor: z.coerce.string(),
  status: z.string(),
  favorecido: payee,
  motivo: z.string().optional().catch(undefined),
});
const problem = z.object({ nome: z.string() });

/**
 * Efí's error names that mean a definite refusal. After any other error the outcome is unknown (Efí, errors
 * of the order).
 */
const REFUSALS = new Set([
  'chave_invalida',
  'chave_nao_pertence_ao_documento',
  'documento_bloqueado',
  'valor_invalido',
  'pagamento_negado',
]);
const DUPLICATE = 'id_envio_duplicado';

/**
 * Creates the function that sends requests to the account at Efí. It throws PROVIDER_UNAVAILABLE if Efí gives
 * no definite answer.
 */
export function createEfiExchange(account: EfiAccount): ProviderExchange {
  return createAuthorizedExchange({ ...account, unanswered: unavailable });
}

/**
 * Builds a client of Efí's own API (`PUT /v3/gn/pix/{idEnvio}`). No standard of BACEN defines an API for
 * sending Pix.
 */
export function createEfiPayouts(
  account: EfiAccount,
  send = createEfiExchange(account),
): PayoutClient & RecipientClient {
  const { pixKey } = account;

  async function find(payout: OrderedPayout) {
    const path = `/v2/gn/pix/enviados/id-envio/${payout.id}`;
    const answer = await send({ method: 'GET', path });
    if (answer.status === 404 && nameOf(answer) !== undefined) return null;
    const found = sent.safeParse(answer.body).data;
    if (answer.status !== 200 || !found) throw unusable();
    const amount = readDecimal(found.valor);
    if (found.idEnvio !== payout.id || amount === null) throw unusable();
    if (amount === payout.amount) return outcomeOf(found, amount);
    if (found.status !== 'REALIZADO') throw unusable();
    throw new AnotherAmount({ reference: found.endToEndId ?? null, amount });
  }

  return {
    payingPixKey: pixKey,
    find,
    async findRecipient(key) {
      const recipient = recipientIn(await send(recipientRequest(key)), key);
      if (recipient === undefined) throw unusable();
      return recipient;
    },
    async order(payout, gate) {
      const answer = await send({
        method: 'PUT',
        path: `/v3/gn/pix/${payout.id}`,
        body: {
          valor: toDecimal(payout.amount),
          pagador: { chave: pixKey },
          favorecido: { chave: payout.pixKey },
        },
        gate,
      });
      const order = taken.safeParse(answer.body).data;
      if (answer.status < 300 && order?.idEnvio === payout.id) {
        return { state: 'accepted', reference: order.e2eId ?? null };
      }
      const name = nameOf(answer) ?? '';
      if (answer.status >= 400 && REFUSALS.has(name))
        return { state: 'refused', reason: failureReasonOf(name) };
      const existing = name === DUPLICATE ? await find(payout) : null;
      if (existing) return existing;
      throw unusable();
    },
  };
}

/**
 * Converts Efí's status. An unknown status means that the payout has not ended, because new versions of API
 * Pix may add values (2.9.0).
 */
function outcomeOf(
  { status, endToEndId, motivo, favorecido }: z.infer<typeof sent>,
  amount: Cents,
): FoundOutcome {
  switch (status) {
    case 'REALIZADO':
      if (endToEndId === undefined) throw unusable();
      return { state: 'done', reference: endToEndId, amount, ...paidTo(favorecido?.identificacao) };
    case 'NAO_REALIZADO':
      return { state: 'failed', reason: failureReasonOf(motivo) };
    case 'DEVOLVIDO':
      return { state: 'sent_back_by_bank', reference: endToEndId ?? null };
    default:
      return { state: 'accepted', reference: endToEndId ?? null };
  }
}

function paidTo(holder: NonNullable<z.infer<typeof payee>>['identificacao'] | undefined) {
  const payeeName = holder?.nome.slice(0, LONGEST_NAME) || undefined;
  return { payeeName, payeeDocument: holder?.cnpj ?? holder?.cpf };
}

function nameOf({ body }: PeerAnswer): string | undefined {
  return problem.safeParse(body).data?.nome;
}

function unavailable(): Refusal {
  const message = 'the payout provider does not answer; the call is retried later';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}

function unusable(): Refusal {
  return new Refusal('provider_fault', 'PROVIDER_ERROR', 'the payout provider sent an unusable answer');
}
