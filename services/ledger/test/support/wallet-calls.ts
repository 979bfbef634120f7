import { expect } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { paid } from './emitter.ts';
import { newTenant } from './identity.ts';
import { asOperator, type World } from './world.ts';

export const success = (id: string) => ({ status: 200, answer: { success: true, data: { id } } });
export const failure = (status: number, code: string) => ({
  status,
  answer: { success: false, error: { code, message: expect.any(String) } },
});

export async function saleIn(
  world: World,
  make: typeof paid = paid,
  changes: Parameters<typeof paid>[1] = {},
): Promise<{ tenant: Tenant; charge: ReturnType<typeof paid> }> {
  const tenant = newTenant();
  const charge = make(tenant, changes);
  await world.deliver(charge);
  return { tenant, charge };
}

/** Creates a merchant who has received 2,475 cents from a Pix. */
export async function merchantIn(world: World): Promise<Tenant> {
  return (await saleIn(world)).tenant;
}

/** The balance of a wallet without entries. */
export const zeros = {
  availableBalance: 0,
  withdrawableBalance: 0,
  disputeDebt: 0,
  pendingBalance: 0,
  reservedBalance: 0,
  blockedBalance: 0,
  totalEarned: 0,
  totalWithdrawn: 0,
  totalFeesPaid: 0,
  breakdown: {
    PIX: { availableBalance: 0, pendingBalance: 0 },
    CARD: { availableBalance: 0, pendingBalance: 0 },
    BOLETO: { availableBalance: 0, pendingBalance: 0 },
  },
};

/** Sends an operator's change to a wallet, with a default reason and description. */
export function changeWallet(
  ledger: World['first'],
  route: 'blocks' | 'unblocks' | 'adjustments',
  body: object,
) {
  const why = { reason: 'court order', description: 'a kindness' };
  return asOperator(ledger, { path: `/v1/admin/ledger/${route}`, body: { ...why, ...body } });
}
