import type { Cents, Tenant } from '@plataforma/kernel';

/** The payment methods, in the order in which their money is used unless a rule prefers one. */
export const methods = ['PIX', 'CARD', 'BOLETO'] as const;
export type Method = (typeof methods)[number];

/** The parts of a merchant's money. Each part is divided by payment method. */
export const pockets = ['available', 'pending', 'reserved', 'blocked'] as const;
export type Pocket = (typeof pockets)[number];

type Pockets = Record<Pocket, Record<Method, Cents>>;

/**
 * The last entry of a wallet's hash chain. If the chain is empty, the sequence number is 0 and the hash is
 * null.
 */
export interface ChainEnd {
  sequence: number;
  hash: string | null;
}

/** A merchant's money in one environment. Only lines of journal entries change it. */
export interface Wallet extends Tenant, Pockets {
  /** The cents of open and lost disputes that the merchant's money did not cover. */
  disputeDebt: Cents;
  /**
   * The part of `disputeDebt` that comes from lost disputes. It is paid as soon as money becomes available.
   */
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

/** Copies a wallet including its pockets, so that a posting does not change the original. */
export function copyOf(wallet: Wallet): Wallet {
  const [available, pending] = [{ ...wallet.available }, { ...wallet.pending }];
  const [reserved, blocked] = [{ ...wallet.reserved }, { ...wallet.blocked }];
  return { ...wallet, available, pending, reserved, blocked };
}

export function sum(perMethod: Record<Method, Cents>): Cents {
  return perMethod.PIX + perMethod.CARD + perMethod.BOLETO;
}

/** Returns the available cents less the dispute debt. The result may be negative. */
export function availableBalance(wallet: Wallet): Cents {
  return sum(wallet.available) - wallet.disputeDebt;
}

/** Returns the balance after the last row of the merchant's statement. */
export function statementBalance(wallet: Wallet): Cents {
  return availableBalance(wallet) + sum(wallet.pending);
}

/** Returns the cents that a withdrawal, a refund or a block by an operator may use. */
export function withdrawable(wallet: Wallet): Cents {
  return Math.max(0, availableBalance(wallet));
}
