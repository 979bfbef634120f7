import { api, type Endpoint } from '@plataforma/contracts';
import { environments, type Tenant } from '@plataforma/kernel';
import { decidersIn, inReais, proposedAction } from '@plataforma/service';
import { z } from 'zod';
import { changeWalletIn, type WalletChange } from './operations/change-wallet.ts';

const change = z.object({
  reference: z.uuid(),
  merchantId: z.uuid(),
  environment: z.enum(environments),
  amount: z.int(),
  memo: z.string(),
});

type Given = z.infer<typeof change>;

function walletAction(kind: 'adjustment' | 'unblock', endpoint: Endpoint, effect: (given: Given) => string) {
  return proposedAction({
    ...{ name: `wallet.${kind}` as const, endpoint, schema: change, effect },
    execute: (tx, given, decision): Promise<WalletChange> => {
      const occurredAt = new Date().toISOString();
      const { operatorId } = decision;
      return changeWalletIn(
        tx,
        { kind, ...given, occurredAt },
        { operatorId, deciders: decidersIn(decision) },
      );
    },
  });
}

const ownerIn = ({ merchantId, environment }: Tenant) => `the merchant ${merchantId} in ${environment}`;

/** The changes of wallets that two operators must make. A block takes effect at once. */
export const walletActions = {
  adjustment: walletAction('adjustment', api.adjustWallet, ({ amount, memo, ...owner }) => {
    const text = `with the description “${memo}” in the statement`;
    return amount < 0
      ? `Take ${inReais(-amount)} from ${ownerIn(owner)}, ${text}.`
      : `Give ${inReais(amount)} to ${ownerIn(owner)}, ${text}.`;
  }),
  unblock: walletAction(
    'unblock',
    api.unblockMoney,
    ({ amount, ...owner }) => `Release ${inReais(amount)} of the blocked balance of ${ownerIn(owner)}.`,
  ),
};
