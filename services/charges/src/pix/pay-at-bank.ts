import { Refusal } from '@plataforma/kernel';
import { movedClock, noSandboxBank, type SandboxBank } from '@plataforma/service';
import { z } from 'zod';
import type { Charge } from '../domain/charge.ts';
import { notPayable } from '../domain/charge-refusals.ts';

interface PayerOrder {
  /** The lead of the merchant's time over the real time. The bank dates the payments with it. */
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
 * Returns the refusal for a charge without a code. The charge may not have reached its bank yet, or has ended
 * without one.
 */
export function withoutCode(status: Charge['status']): Refusal {
  if (status !== 'PENDING') return notPayable(status);
  const message =
    'the charge has no code yet: once the Pix provider answers it gets one by itself, or at once when its POST /v1/charges is sent again';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
