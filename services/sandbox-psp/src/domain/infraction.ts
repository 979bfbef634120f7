import { randomUUID } from 'node:crypto';
import { type Cents, Refusal, toDecimal } from '@plataforma/kernel';
import { GnProblem } from './gn-problem.ts';
import type { Payment } from './payment.ts';

export const infractionReasons = ['FRAUD', 'OPERATIONAL_FLAW'] as const;
export type InfractionReason = (typeof infractionReasons)[number];

/**
 * A dispute that the payer's bank opened about a Pix payment, under the MED rules. Until the deadline the
 * receiver can send a defense.
 */
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
  defense: (Words & { sentAt: Date }) | null;
}

/** The receiver's statement of defense, with the ids of its evidence files. */
export interface Words {
  description: string;
  documents: readonly string[];
  fileIds: readonly string[];
}

/** An evidence file of a defense. The receiver chooses the id of the file. */
export interface DefenseFile {
  id: string;
  name: string;
  type: string;
  size: number;
  sha256: string;
}

interface Dispute {
  txid: string;
  orderId?: string | undefined;
  reason: InfractionReason;
  /** The disputed amount; undefined for the whole payment. */
  amount: Cents | undefined;
  description: string | undefined;
  now: Date;
}

/** The MED rules give the receiver's bank seven days for the analysis of a dispute. */
const ANALYSIS_MS = 7 * 86_400_000;
const SAID_NOTHING = 'Contestação aberta pelo pagador.';

export function openInfraction(payment: Payment, dispute: Dispute): Infraction {
  const { txid, orderId, reason, amount = payment.amount, description = SAID_NOTHING, now } = dispute;
  if (amount > payment.amount) throw new Refusal('conflict', 'INVALID_STATE', 'the payment was of less');
  return {
    id: orderId ?? randomUUID(),
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

/**
 * Returns the infraction with the defense, or unchanged if it has a defense already. Throws if the deadline
 * has passed, or if a file of the defense was not uploaded.
 */
export function defend(
  infraction: Infraction,
  { files, now, ...words }: Words & { files: readonly DefenseFile[]; now: Date },
): Infraction {
  if (infraction.defense) return infraction;
  requireOpen(infraction, now);
  if (words.fileIds.some((id) => !files.some((file) => file.id === id))) {
    throw new GnProblem('requisicao_invalida', 'Um dos arquivos não foi enviado.');
  }
  return { ...infraction, defense: { ...words, sentAt: now } };
}

/**
 * Returns the stored file with this id, or else the new file. Throws if the stored file has other content, or
 * if a new file arrives after the deadline or after the defense.
 */
export function addFile(
  infraction: Infraction,
  { file, existing, now }: { file: DefenseFile; existing: DefenseFile | undefined; now: Date },
): DefenseFile {
  if (existing && existing.sha256 !== file.sha256) {
    throw new GnProblem('arquivo_duplicado', 'Já há outro arquivo com este id.');
  }
  if (existing) return existing;
  requireOpen(infraction, now);
  if (infraction.defense) throw new GnProblem('infracao_encerrada', 'A defesa já foi enviada.');
  return file;
}

function requireOpen(infraction: Infraction, now: Date): void {
  if (statusOf(infraction, now) !== 'ENCERRADA') return;
  throw new GnProblem('infracao_encerrada', 'O prazo para a defesa terminou.');
}

/** Returns the infraction in the format of the API, with its status at the time `now`. */
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
