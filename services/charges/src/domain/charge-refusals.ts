import { Refusal } from '@plataforma/kernel';
import type { ChargeStatus } from './charge.ts';

export function notCancellable(status: ChargeStatus): Refusal {
  const why = status === 'PENDING' ? 'has received a payment' : `is ${status}`;
  return new Refusal('conflict', 'CHARGE_NOT_CANCELLABLE', `the charge ${why} and can’t be cancelled`);
}

export function notPayable(status: ChargeStatus): Refusal {
  const why = status === 'PENDING' ? 'is being paid at this moment' : `is ${status}`;
  return new Refusal('conflict', 'CHARGE_NOT_PAYABLE', `the charge ${why}`);
}

export function noSuchCharge(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no charge with this id');
}
