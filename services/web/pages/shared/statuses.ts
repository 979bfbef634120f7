export { methods as methodWords, statuses as statusWords } from '@plataforma/contracts/value-words';

export type Tone = 'good' | 'warn' | 'bad' | 'neutral' | 'accent';

/** The colour of each status of an object. The texts are in `statusWords`. */
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
