import { z } from 'zod';
import { type Endpoint, reads } from './endpoint.ts';
import { nothing } from './fields.ts';

const ofMethod = z.object({ availableBalance: z.int(), pendingBalance: z.int() });

const balance = z
  .object({
    availableBalance: z.int().meta({ description: 'Settled money that belongs to the merchant.' }),
    withdrawableBalance: z
      .int()
      .meta({ description: 'What a withdrawal may use: available less dispute debt.' }),
    disputeDebt: z.int(),
    pendingBalance: z.int().meta({ description: 'Card money before its settlement day.' }),
    reservedBalance: z.int().meta({ description: 'Held for open disputes.' }),
    blockedBalance: z.int().meta({ description: 'Held by an operator.' }),
    totalEarned: z.int().meta({ description: 'Gross of all paid charges.' }),
    totalWithdrawn: z.int(),
    totalFeesPaid: z.int(),
    breakdown: z.object({ PIX: ofMethod, CARD: ofMethod, BOLETO: ofMethod }),
  })
  .meta({ id: 'Balance', description: 'All amounts in cents.' });

export type BalanceView = z.infer<typeof balance>;

export const getBalance = {
  method: 'get',
  path: '/v1/balance',
  service: 'ledger',
  access: reads('wallet:read'),
  summary: 'Read the balance',
  params: nothing,
  query: z.strictObject({}),
  body: nothing,
  status: 200,
  data: balance,
  errors: [],
} as const satisfies Endpoint;
