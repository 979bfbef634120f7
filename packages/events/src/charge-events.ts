import { z } from 'zod';

const charge = {
  id: z.uuid(),
  txid: z.string(),
  externalId: z.string(),
  paymentMethod: z.literal('PIX'),
  amount: z.int().positive(),
  feeAmount: z.int().nonnegative(),
  netAmount: z.int().nonnegative(),
};

/** Emitted by the charges service. Amounts are integer cents, times ISO 8601 UTC. */
export const chargeEvents = {
  'charge.paid': z.object({ ...charge, status: z.literal('PAID'), paidAt: z.iso.datetime() }),
  'charge.expired': z.object({ ...charge, status: z.literal('EXPIRED'), paidAt: z.null() }),
};
