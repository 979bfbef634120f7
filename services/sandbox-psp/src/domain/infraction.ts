import { randomUUID } from 'node:crypto';
import { type Cents, Refusal, toDecimal } from '@plataforma/kernel';
import { GnProblem } from './gn-problem.ts';
import type { Payment } from './payment.ts';

export const infractionReasons = ['FRAUD', 'OPERATIONAL_FLAW'] as const;
export type InfractionReason = (typeof infractionReasons)[number];

/** What the payer's bank reports of a Pix (MED), until its deadline to be defended against. */
export interface Infraction {
  id: string;
  clientId: string;
  endToEndId: string;
  txid: string;
  amount: Cents;
  reason: InfractionReason;
  description: string;
  createdAt: Date;
  deadline: Date;
  defense: { description: string; documents: readonly string[]; sentAt: Date } | null;
}

interface Dispute {
  txid: string;
  reason: InfractionReason;
  /** Undefined: the whole payment. */
  amount: Cents | undefined;
  description: string | undefined;
  now: Date;
}

/** The receiver's bank has seven days to look into it (MED). */
const ANALYSIS_MS = 7 * 86_400_000;
const SAID_NOTHING = 'Contestação aberta pelo pagador.';

export function openInfraction(payment: Payment, dispute: Dispute): Infraction {
  const { txid, reason, amount = payment.amount, description = SAID_NOTHING, now } = dispute;
  if (amount > payment.amount) throw new Refusal('conflict', 'INVALID_STATE', 'the payment was of less');
  return {
    id: randomUUID(),
    clientId: payment.clientId,
    endToEndId: payment.endToEndId,
    txid,
    amount,
    reason,
    description,
    createdAt: now,
    deadline: new Date(now.getTime() + ANALYSIS_MS),
    defense: null,
  };
}

/** The infraction with what the receiver has to say; the first defense stands. */
export function defend(
  infraction: Infraction,
  { description, documents, now }: { description: string; documents: readonly string[]; now: Date },
): Infraction {
  if (infraction.defense) return infraction;
  if (statusOf(infraction, now) === 'ENCERRADA') {
    throw new GnProblem('infracao_encerrada', 'O prazo para a defesa terminou.');
  }
  return { ...infraction, defense: { description, documents, sentAt: now } };
}

/** The infraction as it is listed and read at `now`. */
export function infracaoOf(infraction: Infraction, now: Date) {
  return {
    idInfracao: infraction.id,
    endToEndId: infraction.endToEndId,
    txid: infraction.txid,
    valor: toDecimal(infraction.amount),
    motivo: infraction.reason,
    descricao: infraction.description,
    status: statusOf(infraction, now),
    prazo: infraction.deadline.toISOString(),
    criacao: infraction.createdAt.toISOString(),
  };
}

function statusOf({ deadline, defense }: Infraction, now: Date): 'ABERTA' | 'EM_DEFESA' | 'ENCERRADA' {
  if (now >= deadline) return 'ENCERRADA';
  return defense ? 'EM_DEFESA' : 'ABERTA';
}
