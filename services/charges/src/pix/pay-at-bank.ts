import { Refusal } from '@plataforma/kernel';
import { movedClock, noSandboxBank, type SandboxBank } from '@plataforma/service';
import { z } from 'zod';
import type { Charge } from '../domain/charge.ts';
import { notPayable } from '../domain/charge-refusals.ts';

interface PayerOrder {
  /**
   * Milliseconds by which the merchant's clock is ahead of the real time. The sandbox bank dates the payments
   * by the clock that the merchant has moved.
   */
  aheadMs: number;
  /** The idempotency key: a repeated order returns the same payments. */
  orderId?: string;
  amount?: number | undefined;
  times?: number;
}

const paid = z.object({ payments: z.array(z.object({ endToEndId: z.string() })).min(1) });

/** Pays the charge from accounts at the sandbox bank, and returns the endToEndIds of the payments. */
export async function payAtBank(
  bank: SandboxBank,
  { txid, qrCode, status }: Pick<Charge, 'txid' | 'qrCode' | 'status'>,
  { aheadMs, ...order }: PayerOrder,
): Promise<string[]> {
  const answer = await bank.order(`/pix/${txid}/pay`, { ...order, ...movedClock(aheadMs) });
  if (answer) return paid.parse(answer).payments.map(({ endToEndId }) => endToEndId);
  throw qrCode === null ? withoutCode(status) : noSandboxBank();
}

/**
 * Returns the refusal for a charge without a code. The charge may not have reached its bank yet, or it ended
 * before it got a code.
 */
export function withoutCode(status: Charge['status']): Refusal {
  if (status !== 'PENDING') return notPayable(status);
  const message =
    'the charge has no code yet: send its POST /v1/charges again, or wait until the Pix provider answers';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
