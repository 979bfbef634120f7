import { catalogue } from './language.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'neutral' | 'accent';

/** One colour for each state of an object; its word is in `statusWords`. */
export const toneOfStatus: Readonly<Record<string, Tone>> = {
  PENDING: 'warn',
  PAID: 'good',
  EXPIRED: 'neutral',
  CANCELLED: 'neutral',
  REFUNDED: 'accent',
  DISPUTED: 'bad',
  PROCESSING: 'warn',
  FAILED: 'bad',
  OPEN: 'bad',
  UNDER_REVIEW: 'warn',
  RESOLVED_MERCHANT: 'good',
  RESOLVED_CUSTOMER: 'bad',
  APPROVED: 'accent',
  COMPLETED: 'good',
  REJECTED: 'bad',
  SUCCEEDED: 'good',
  SUSPENDED: 'bad',
  ACTIVE: 'good',
  PAUSED: 'neutral',
  REVOKED: 'neutral',
  INACTIVE: 'neutral',
  USED_UP: 'accent',
};

export const statusWords = catalogue(
  {
    charge: {
      PENDING: 'Pendente',
      PAID: 'Paga',
      EXPIRED: 'Expirada',
      CANCELLED: 'Cancelada',
      REFUNDED: 'Devolvida',
      DISPUTED: 'Contestada',
    },
    refund: { PROCESSING: 'Em andamento', REFUNDED: 'Devolvida', FAILED: 'Não concluída' },
    dispute: {
      OPEN: 'Aberta',
      UNDER_REVIEW: 'Em análise',
      RESOLVED_MERCHANT: 'Ganha',
      RESOLVED_CUSTOMER: 'Perdida',
      CANCELLED: 'Retirada',
    },
    withdrawal: {
      PENDING: 'Pendente',
      APPROVED: 'Aprovado',
      PROCESSING: 'Em andamento',
      COMPLETED: 'Concluído',
      FAILED: 'Não concluído',
      REJECTED: 'Recusado',
    },
    delivery: { PENDING: 'Pendente', SUCCEEDED: 'Entregue', FAILED: 'Não entregue' },
    key: { ACTIVE: 'Ativa', EXPIRED: 'Expirada', REVOKED: 'Revogada' },
    webhook: { ACTIVE: 'Ativo', PAUSED: 'Pausado' },
    paymentLink: { ACTIVE: 'Ativo', INACTIVE: 'Pausado', EXPIRED: 'Expirado', USED_UP: 'Esgotado' },
    account: {
      PENDING: 'Em análise',
      APPROVED: 'Aprovada',
      REJECTED: 'Não aprovada',
      SUSPENDED: 'Suspensa',
    },
  },
  {
    charge: {
      PENDING: 'Pending',
      PAID: 'Paid',
      EXPIRED: 'Expired',
      CANCELLED: 'Cancelled',
      REFUNDED: 'Refunded',
      DISPUTED: 'Disputed',
    },
    refund: { PROCESSING: 'In progress', REFUNDED: 'Refunded', FAILED: 'Failed' },
    dispute: {
      OPEN: 'Open',
      UNDER_REVIEW: 'Under review',
      RESOLVED_MERCHANT: 'Won',
      RESOLVED_CUSTOMER: 'Lost',
      CANCELLED: 'Withdrawn',
    },
    withdrawal: {
      PENDING: 'Pending',
      APPROVED: 'Approved',
      PROCESSING: 'In progress',
      COMPLETED: 'Completed',
      FAILED: 'Failed',
      REJECTED: 'Rejected',
    },
    delivery: { PENDING: 'Pending', SUCCEEDED: 'Delivered', FAILED: 'Not delivered' },
    key: { ACTIVE: 'Active', EXPIRED: 'Expired', REVOKED: 'Revoked' },
    webhook: { ACTIVE: 'Active', PAUSED: 'Paused' },
    paymentLink: { ACTIVE: 'Active', INACTIVE: 'Paused', EXPIRED: 'Expired', USED_UP: 'Used up' },
    account: {
      PENDING: 'Under review',
      APPROVED: 'Approved',
      REJECTED: 'Not approved',
      SUSPENDED: 'Suspended',
    },
  },
);

export const methodWords = catalogue(
  { PIX: 'Pix', CARD: 'Cartão', BOLETO: 'Boleto' },
  { PIX: 'Pix', CARD: 'Card', BOLETO: 'Boleto' },
);
