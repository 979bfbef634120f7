import type { Cents } from '@plataforma/kernel';
import { z } from 'zod';

const chainEnd = z.object({ sequence: z.int().nonnegative(), hash: z.string().nullable() });
const balances = z.record(z.string(), z.int());

export const walletProof = z.object({
  from: chainEnd,
  reached: chainEnd,
  head: chainEnd,
  wallet: balances,
  moved: balances,
  credits: z.array(z.object({ kind: z.string(), reference: z.string(), amount: z.int() })),
  misfits: z.int().nonnegative(),
  debit: z.object({ sequence: z.int().nonnegative(), amount: z.int() }).nullable(),
});

/**
 * One page of a wallet's hash chain. Before the withdrawals service sends a payout to a provider, the service
 * verifies the page.
 */
export type WalletProof = z.infer<typeof walletProof>;

/**
 * A credit to a wallet. `kind` and `reference` identify the fact that caused the credit, such as a charge's
 * payment.
 */
export interface Credit {
  kind: string;
  reference: string;
  amount: Cents;
}
