import { isDeepStrictEqual } from 'node:util';
import { type Cents, next, Refusal, type Table } from '@plataforma/kernel';
import type { Client } from './client.ts';
import { PixProblem } from './pix-problem.ts';

export type ChargeStatus = 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
type ChargeStep = 'revise' | 'remove' | 'pay';

/**
 * The statuses of API Pix 2.9.0, CobrancaStatus. A charge in any status can be paid, because nothing stops a
 * payer's bank from sending money. A payment changes the status only if the charge is active. An expired
 * charge stays ATIVA.
 */
export const chargeTransitions: Table<ChargeStatus, ChargeStep> = {
  ATIVA: { revise: 'ATIVA', remove: 'REMOVIDA_PELO_USUARIO_RECEBEDOR', pay: 'CONCLUIDA' },
  CONCLUIDA: { pay: 'CONCLUIDA' },
  REMOVIDA_PELO_USUARIO_RECEBEDOR: { pay: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' },
};

/** The fields of a charge that the receiver may set and change. */
export interface ChargeRequest {
  amount: Cents;
  pixKey: string;
  /**
   * The payer that the receiver expects. A document of 11 characters is a CPF, and a document of 14
   * characters is a CNPJ.
   */
  debtor: { document: string; name: string } | null;
  payerRequest: string | null;
  expiresInSeconds: number;
}

export interface Charge {
  clientId: string;
  txid: string;
  request: ChargeRequest;
  status: ChargeStatus;
  /** The number of changes that the receiver made to the charge. A payment does not increase it. */
  revision: number;
  createdAt: Date;
  locationId: number;
  locationToken: string;
}

const TXID = /^[a-zA-Z0-9]{26,35}$/;

export function isTxid(text: string): boolean {
  return TXID.test(text);
}

/** Returns the charge with the changes of its request, or the same object if the request stays equal. */
export function revise(charge: Charge, changes: Partial<ChargeRequest>): Charge {
  const request = { ...charge.request, ...changes };
  if (isDeepStrictEqual(request, charge.request)) return charge;
  return { ...step(charge, 'revise'), request, revision: charge.revision + 1 };
}

export function remove(charge: Charge): Charge {
  return { ...step(charge, 'remove'), revision: charge.revision + 1 };
}

/** Returns the charge after a payment. The amount of the payment may differ from the charge's amount. */
export function pay(charge: Charge): Charge {
  return step(charge, 'pay');
}

export function isActive({ status }: Charge): boolean {
  return status === 'ATIVA';
}

export function requireOwnKey(pixKey: string, client: Client): void {
  if (pixKey === client.pixKey) return;
  const razao = 'O campo cob.chave corresponde a uma conta que não pertence a este usuário recebedor.';
  throw new PixProblem('CobOperacaoInvalida', { violations: [{ razao, propriedade: 'cob.chave' }] });
}

/**
 * Returns the only charge with a txid. A payer names only the txid and no receiver, so the function throws if
 * no receiver or several receivers have a charge with this txid.
 */
export function onlyOne([charge, ...others]: Charge[]): Charge {
  if (!charge) throw new Refusal('missing', 'NOT_FOUND', 'there is no charge with this txid');
  if (others.length > 0)
    throw new Refusal('conflict', 'INVALID_STATE', 'several receivers have a charge with this txid');
  return charge;
}

function step(charge: Charge, taken: ChargeStep): Charge {
  const status = next(chargeTransitions, charge.status, taken);
  if (status) return { ...charge, status };
  throw new PixProblem('CobOperacaoInvalida', {
    detail: `A cobrança está ${charge.status}: somente cobranças ativas podem ser alteradas ou removidas.`,
  });
}
