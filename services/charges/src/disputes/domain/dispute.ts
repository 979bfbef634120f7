import { type Cents, type Environment, newId, Refusal, requireNext, type Table } from '@plataforma/kernel';
import type { Charge } from '../../domain/charge.ts';

export type DisputeStatus = 'OPEN' | 'UNDER_REVIEW' | 'RESOLVED_MERCHANT' | 'RESOLVED_CUSTOMER' | 'CANCELLED';
export type DisputeStep = 'send_evidence' | 'win' | 'lose' | 'cancel';

export const disputeTransitions: Table<DisputeStatus, DisputeStep> = {
  OPEN: {
    send_evidence: 'UNDER_REVIEW',
    win: 'RESOLVED_MERCHANT',
    lose: 'RESOLVED_CUSTOMER',
    cancel: 'CANCELLED',
  },
  UNDER_REVIEW: { win: 'RESOLVED_MERCHANT', lose: 'RESOLVED_CUSTOMER', cancel: 'CANCELLED' },
  RESOLVED_MERCHANT: {},
  RESOLVED_CUSTOMER: {},
  CANCELLED: {},
};

interface Evidence {
  description: string;
  documents: string[];
  sentAt: Date;
}

export interface Dispute {
  id: string;
  chargeId: string;
  merchantId: string;
  environment: Environment;
  amount: Cents;
  reason: string;
  description: string;
  status: DisputeStatus;
  deadline: Date;
  /** The reference of the provider's infraction or chargeback; null when an operator opened the dispute. */
  providerReference: string | null;
  evidence: Evidence | null;
  sequence: number;
  createdAt: Date;
  resolvedAt: Date | null;
  resolution: string | null;
  /**
   * The part of a lost dispute's amount that the merchant's reserve did not cover. Null for other disputes,
   * and when the ledger did not know the amount in time.
   */
  debt: Cents | null;
  /** The operator who opened the dispute, or null. Another operator must resolve it. */
  openedBy: string | null;
  /** The seal of the stored row. Each save writes a new one. */
  seal: string | null;
}

/** A report that the payer contests a payment. */
export interface DisputeNotice {
  chargeId: string;
  /**
   * The contested amount in cents. Without an amount, the dispute covers the whole part of the charge that
   * was not refunded.
   */
  amount?: number | undefined;
  reason: string;
  description: string;
  deadline?: Date | undefined;
  /**
   * The reference of the provider's infraction or chargeback, so that a repeated notice opens only one
   * dispute. Null when an operator opens the dispute.
   */
  providerReference: string | null;
  operatorId?: string;
}

/**
 * Returns the dispute that a notice opens. An operator's deadline must lie in the future; a provider's
 * deadline may be in the past.
 */
export function newDispute(charge: Charge, notice: DisputeNotice, now: Date): Dispute {
  const { reason, description, deadline, providerReference, operatorId } = notice;
  if (operatorId !== undefined && deadline !== undefined && deadline <= now)
    throw new Refusal('invalid', 'VALIDATION_ERROR', 'deadline: must lie in the future');
  const { id: chargeId, merchantId, environment } = charge;
  return {
    ...{ id: newId(), chargeId, merchantId, environment, reason, description, providerReference },
    amount: disputedAmount(charge, notice.amount),
    status: 'OPEN',
    deadline: deadline ?? defaultDeadline(now),
    evidence: null,
    sequence: 1,
    createdAt: now,
    resolvedAt: null,
    resolution: null,
    debt: null,
    openedBy: operatorId ?? null,
    seal: null,
  };
}

/** A dispute as lists show it. Its evidence has the number of documents instead of the documents. */
export interface ListedDispute extends Omit<Dispute, 'evidence' | 'openedBy' | 'seal'> {
  externalId: string;
  paymentMethod: Charge['paymentMethod'];
  payerName: string | null;
  evidence: (Omit<Evidence, 'documents'> & { documentCount: number }) | null;
}

/**
 * Returns the requested amount, limited to the part of the charge that was not refunded. Throws a Refusal
 * when this part is zero, and when the charge is unpaid or already disputed.
 */
export function disputedAmount(charge: Charge, requested: Cents | undefined): Cents {
  if (charge.status !== 'PAID' && charge.status !== 'REFUNDED') {
    throw new Refusal('conflict', 'INVALID_STATE', `the charge is ${charge.status} and can’t be disputed`);
  }
  const left = charge.amount - (charge.refund?.amount ?? 0);
  if (left < 1) throw new Refusal('conflict', 'INVALID_STATE', 'the charge was returned in full before');
  return Math.min(requested ?? left, left);
}

/** Returns the amount that the payer got back, and the part of it that the merchant's balance still owes. */
export function resultOf({ status, amount, debt }: Pick<Dispute, 'status' | 'amount' | 'debt'>) {
  if (status === 'RESOLVED_CUSTOMER') return { refundedAmount: amount, debt };
  return { refundedAmount: 0, debt: status === 'OPEN' || status === 'UNDER_REVIEW' ? null : 0 };
}

const DAY_MS = 86_400_000;
/**
 * The days until the default deadline: the receiver's provider must finish its analysis within seven days
 * (MED, Guia 4.3).
 */
const DEFAULT_DAYS = 7;

function defaultDeadline(now: Date): Date {
  return new Date(now.getTime() + DEFAULT_DAYS * DAY_MS);
}

/**
 * Returns the status of the dispute after its evidence is sent. Throws a Refusal if evidence was sent before,
 * the dispute has ended or its deadline has passed.
 */
export function statusWithEvidence({ status, deadline }: Dispute, now: Date): DisputeStatus {
  const next = requireNext(disputeTransitions, { noun: 'dispute', status }, 'send_evidence');
  if (now <= deadline) return next;
  throw new Refusal('conflict', 'INVALID_STATE', 'the deadline of the dispute has passed');
}

export function noSuchDispute(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no dispute with this id');
}
