import type { Cents, Tenant } from '@plataforma/kernel';

/** In the order in which money is taken, unless a rule says which comes first. */
export const methods = ['PIX', 'CARD', 'BOLETO'] as const;
export type Method = (typeof methods)[number];

/** The parts a merchant's money is divided into, each per payment method. */
export const pockets = ['available', 'pending', 'reserved', 'blocked'] as const;
export type Pocket = (typeof pockets)[number];

type Pockets = Record<Pocket, Record<Method, Cents>>;

/** The last entry of a wallet's chain; of an empty one the sequence is 0. */
export interface ChainEnd {
  sequence: number;
  hash: string | null;
}

/** A merchant's money in one environment. It is only ever changed by lines of the journal. */
export interface Wallet extends Tenant, Pockets {
  /** The cost of disputes, open or lost, beyond the money that could be reserved. */
  disputeDebt: Cents;
  /** The part of that debt whose disputes are lost: taken from whatever becomes available. */
  collectableDebt: Cents;
  totalEarned: Cents;
  totalWithdrawn: Cents;
  totalFeesPaid: Cents;
  /** The last of its entries. */
  chain: ChainEnd;
}

/** Tells wallets apart. */
export function walletKey({ merchantId, environment }: Tenant): string {
  return `${merchantId} ${environment}`;
}

export function emptyWallet({ merchantId, environment }: Tenant): Wallet {
  const none = () => ({ PIX: 0, CARD: 0, BOLETO: 0 });
  return {
    merchantId,
    environment,
    available: none(),
    pending: none(),
    reserved: none(),
    blocked: none(),
    disputeDebt: 0,
    collectableDebt: 0,
    totalEarned: 0,
    totalWithdrawn: 0,
    totalFeesPaid: 0,
    chain: { sequence: 0, hash: null },
  };
}

/** With pockets of its own: what is posted to it leaves `wallet` as it was. */
export function copyOf(wallet: Wallet): Wallet {
  const [available, pending] = [{ ...wallet.available }, { ...wallet.pending }];
  const [reserved, blocked] = [{ ...wallet.reserved }, { ...wallet.blocked }];
  return { ...wallet, available, pending, reserved, blocked };
}

export function sum(perMethod: Record<Method, Cents>): Cents {
  return perMethod.PIX + perMethod.CARD + perMethod.BOLETO;
}

/** Money that a bank would state as the balance; below zero it is a debt of disputes. */
export function availableBalance(wallet: Wallet): Cents {
  return sum(wallet.available) - wallet.disputeDebt;
}

/** Equals the sum of the statement's rows. */
export function statementBalance(wallet: Wallet): Cents {
  return availableBalance(wallet) + sum(wallet.pending);
}

/** A withdrawal, refund or block may use this much. */
export function withdrawable(wallet: Wallet): Cents {
  return Math.max(0, availableBalance(wallet));
}
