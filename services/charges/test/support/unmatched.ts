import { type AdminUnexpectedPaymentView, api } from '@plataforma/contracts';
import { eventually } from '@plataforma/testing';
import { z } from 'zod';
import type { RefundWorld } from './refund-world.ts';

const list = z.array(api.listAllUnexpectedPayments.data);

/** Lists the unmatched payments with this endToEndId, as operators see them. */
export async function unmatchedOf(
  world: RefundWorld,
  endToEndId: string,
): Promise<AdminUnexpectedPaymentView[]> {
  const { data } = await world.operate('/unexpected-payments?limit=100');
  return list.parse(data).filter((payment) => payment.endToEndId === endToEndId);
}

/** Waits until the payment is listed exactly once with this status, and returns it. */
export async function comesTo(
  world: RefundWorld,
  endToEndId: string,
  status: string,
): Promise<AdminUnexpectedPaymentView> {
  return eventually(async () => {
    const [payment, ...more] = await unmatchedOf(world, endToEndId);
    if (payment?.status !== status || more.length > 0)
      throw new Error(`${endToEndId} is ${payment?.status}, and ${more.length} more`);
    return payment;
  });
}
