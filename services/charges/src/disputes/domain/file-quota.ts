import { type Environment, Refusal } from '@plataforma/kernel';

/** The limits for all files of one merchant, in bytes. */
export type FileQuotas = Readonly<Record<Environment, number>>;

/**
 * Operators get an alert when less than this share of the quota is free. A merchant that can add no evidence
 * may lose its disputes.
 */
const LOW_SHARE = 1 / 5;

interface Room {
  quota: number;
  used: number;
  size: number;
}

export function roomFor({ quota, used, size }: Room): 'ample' | 'low' | 'none' {
  const left = quota - used - size;
  if (left < 0) return 'none';
  return left < quota * LOW_SHARE ? 'low' : 'ample';
}

const whose = {
  sandbox: { what: 'your sandbox keeps', next: 'delete files of open disputes first' },
  production: {
    what: 'your account keeps',
    next: 'delete files of open disputes first, or ask the platform for more room',
  },
};

export function noRoom(environment: Environment, quota: number): Refusal {
  const { what, next } = whose[environment];
  const message = `${what} at most ${quota / 1_000_000} MB of files: ${next}`;
  return new Refusal('unprocessable', 'FILE_LIMIT_REACHED', message);
}
