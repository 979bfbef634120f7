import { type AdminUnexpectedPaymentView, api } from '@plataforma/contracts';
import { eventually } from '@plataforma/testing';
import { z } from 'zod';
import type { RefundWorld } from './refund-world.ts';

const list = z.array(api.listAllUnexpectedPayments.data);

/** Lists the unmatched payments with this endToEndId, as the operators' API shows them. */
export async function unmatchedOf(
  world: RefundWorld,
  endToEndId: string,
): Promise<AdminUnexpectedPaymentView[]> {
  const { data } = await world.operate('/unexpected-payments?limit=100');
  return list.parse(data).filter((payment) => payment.endToEndId === endToEndId);
}

/** Waits until the operators' list shows the payment exactly once, with this status. Returns the payment. */
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
