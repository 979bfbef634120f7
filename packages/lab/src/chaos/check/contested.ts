import { isDeepStrictEqual } from 'node:util';
import type { Truth } from '@plataforma/testing';
import { type Databases, type Evidence, rowsOf } from './evidence.ts';
import { doubled, type Finding, lost, violation } from './finding.ts';

type Infraction = Truth['infractions'][number];

type Dispute = {
  id: string;
  amount: number;
  environment: string;
  /**
   * The reference of the dispute at its provider. Disputes that an operator opened have no reference and are
   * not selected.
   */
  reference: string;
  charge: string;
  number: string | null;
  /** The text of the merchant's evidence, or null if the merchant has sent none. */
  description: string | null;
  documents: string[] | null;
  files: string[];
  is_undecided: boolean;
  is_forwarded: boolean;
  /**
   * True for a chargeback that ended in the merchant's favour. The acquirer may no longer record the
   * chargeback, because the platform has ordered its reversal.
   */
  is_undone: boolean;
};

const DISPUTES = `
  SELECT d.id, d.amount_cents AS amount, d.environment, provider_reference AS reference, c.id AS charge,
    c.end_to_end_id AS number, evidence_description AS description, evidence_documents AS documents,
    ARRAY(SELECT f.id::text FROM dispute_files f WHERE f.dispute_id = d.id ORDER BY f.id) AS files,
    resolved_at IS NULL AS is_undecided, forward_at IS NULL AS is_forwarded,
    d.status IN ('RESOLVED_MERCHANT', 'CANCELLED') AND provider_reference LIKE 'chargeback:%' AS is_undone
  FROM disputes d JOIN charges c ON c.id = charge_id WHERE provider_reference IS NOT NULL`;

/**
 * Invariant 4, for payers' disputes at their banks. A dispute belongs to one infraction (Pix) or chargeback
 * (card), and each infraction opens one dispute. A chargeback may open no dispute, because its callback can
 * be lost and no list contains it. The merchant's evidence reaches the bank unless the dispute ends first.
 */
export async function checkContested({ databases, truth }: Evidence): Promise<Finding[]> {
  const disputes = await rowsOf<Dispute>(databases.charges, DISPUTES);
  const byReference = Map.groupBy(disputes, ({ reference }) => reference);
  const contested = new Map([
    ...truth.infractions.map((one) => [nameOf(one), contestedPix(one)] as const),
    ...truth.cardCharges.flatMap((one) => contestedCard(one)),
  ]);
  const opened = disputes.flatMap((dispute) => {
    const what = `dispute ${dispute.id} of ${dispute.amount} is of ${dispute.reference}`;
    const contest = contested.get(dispute.reference);
    if (!contest) return dispute.is_undone ? [] : [violation(4, `${what}, which nobody contests`)];
    if (!contest.isOf(dispute)) return [violation(4, `${what}, which contests something else`)];
    return dispute.amount > contest.amount ? [violation(4, `${what}, which contests ${contest.amount}`)] : [];
  });
  const twice = [...byReference]
    .filter(([, alike]) => alike.length > 1)
    .map(([reference, { length }]) => doubled(4, `${reference} has opened ${length} disputes`));
  const missing = await findUndisputed(databases, truth);
  return [
    ...opened,
    ...twice,
    ...missing.map((one) =>
      lost(4, `infraction ${one.idInfracao} of ${one.endToEndId} has opened no dispute`),
    ),
    ...truth.infractions.flatMap((one) => compareDefense(one, byReference.get(nameOf(one))?.[0])),
  ];
}

const nameOf = ({ clientId, idInfracao }: Infraction) => `infraction:${clientId}:${idInfracao}`;

interface Contested {
  amount: number;
  isOf(dispute: Dispute): boolean;
}

function contestedPix({ clientId, endToEndId, valor }: Infraction): Contested {
  return {
    amount: valor,
    isOf: ({ environment, number }) => environment === clientId && number === endToEndId,
  };
}

function contestedCard({ clientId, id, code, chargeback }: Truth['cardCharges'][number]) {
  if (!chargeback) return [];
  const isOf = ({ environment, charge }: Dispute) => environment === clientId && charge === code;
  return [[`chargeback:${id}`, { amount: chargeback.amount, isOf }] as const];
}

/**
 * Selects payments that a payer can dispute now. A dispute can't open while a refund or an earlier dispute of
 * the charge is undecided.
 */
const CONTESTABLE = `
  SELECT end_to_end_id AS number, environment FROM charges c
  WHERE end_to_end_id IS NOT NULL AND status IN ('PAID', 'REFUNDED')
  AND amount_cents > coalesce(refunded_cents, 0)
    AND NOT EXISTS (SELECT FROM refunds WHERE charge_id = c.id AND status NOT IN ('REFUSED', 'DONE'))
    AND NOT EXISTS (SELECT FROM disputes WHERE charge_id = c.id AND resolved_at IS NULL)`;
const REFERENCES =
  'SELECT provider_reference AS reference FROM disputes WHERE provider_reference IS NOT NULL';

/** Lists infractions that could have opened a dispute but have not. */
export async function findUndisputed({ charges }: Databases, { infractions }: Truth): Promise<Infraction[]> {
  const contestable = await rowsOf<{ number: string; environment: string }>(charges, CONTESTABLE);
  const disputes = await rowsOf<{ reference: string }>(charges, REFERENCES);
  const numbers = new Set(contestable.map(({ number, environment }) => `${environment} ${number}`));
  const references = new Set(disputes.map(({ reference }) => reference));
  return infractions.filter(
    (one) => !references.has(nameOf(one)) && numbers.has(`${one.clientId} ${one.endToEndId}`),
  );
}

/** Invariant 9. Checks that the bank has the evidence that the platform accepted, unchanged. */
function compareDefense({ idInfracao, defesa }: Infraction, dispute: Dispute | undefined): Finding[] {
  const sent = dispute?.description != null;
  const what = `what was said of infraction ${idInfracao}`;
  if (!defesa) {
    const isDue = sent && dispute.is_undecided && dispute.is_forwarded;
    return isDue ? [lost(9, `${what} is not at the bank`)] : [];
  }
  const { description: descricao, documents, files: arquivos } = dispute ?? {};
  const sentEvidence = sent && { descricao, documentos: documents ?? [], arquivos };
  return isDeepStrictEqual(sentEvidence, defesa)
    ? []
    : [violation(9, `${what} is something else at the bank`)];
}
