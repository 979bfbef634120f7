import type { Cents, Tenant } from '@plataforma/kernel';

/** The methods in the order in which money is taken, unless a rule puts one first. */
export const methods = ['PIX', 'CARD', 'BOLETO'] as const;
export type Method = (typeof methods)[number];

/** The parts of a merchant's money, each divided by payment method. */
export const pockets = ['available', 'pending', 'reserved', 'blocked'] as const;
export type Pocket = (typeof pockets)[number];

type Pockets = Record<Pocket, Record<Method, Cents>>;

/** The last entry of a wallet's chain. The sequence of an empty chain is 0. */
export interface ChainEnd {
  sequence: number;
  hash: string | null;
}

/** A merchant's money in one environment, which only lines of the journal change. */
export interface Wallet extends Tenant, Pockets {
  /** The cost in cents of open and lost disputes beyond the reserved money. */
  disputeDebt: Cents;
  /** The part of that debt from lost disputes. Money that becomes available pays it. */
  collectableDebt: Cents;
  totalEarned: Cents;
  totalWithdrawn: Cents;
  totalFeesPaid: Cents;
  chain: ChainEnd;
}

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

/** Copies a wallet with its pockets, so that postings do not change the original. */
export function copyOf(wallet: Wallet): Wallet {
  const [available, pending] = [{ ...wallet.available }, { ...wallet.pending }];
  const [reserved, blocked] = [{ ...wallet.reserved }, { ...wallet.blocked }];
  return { ...wallet, available, pending, reserved, blocked };
}

export function sum(perMethod: Record<Method, Cents>): Cents {
  return perMethod.PIX + perMethod.CARD + perMethod.BOLETO;
}

/** Returns the available cents less the dispute debt. May be negative. */
export function availableBalance(wallet: Wallet): Cents {
  return sum(wallet.available) - wallet.disputeDebt;
}

/** Returns the sum of the statement's rows. */
export function statementBalance(wallet: Wallet): Cents {
  return availableBalance(wallet) + sum(wallet.pending);
}

/** Returns the cents that a withdrawal, refund or block may use. */
export function withdrawable(wallet: Wallet): Cents {
  return Math.max(0, availableBalance(wallet));
}
