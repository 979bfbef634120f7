import { type Database, type Router, serve, type Verifier } from '@plataforma/chassis';
import { api, type BalanceView } from '@plataforma/contracts';
import { sum, type Wallet, withdrawable } from '../domain/wallet.ts';
import { findWallet } from '../store/wallets.ts';

export function walletRoutes(
  router: Router,
  { verifier, database }: { verifier: Verifier; database: Database },
): void {
  serve(router, api.getBalance, {
    verifier,
    answer: async (_call, merchant) => ({ data: balanceView(await findWallet(database, merchant)) }),
  });
}

function balanceView(wallet: Wallet): BalanceView {
  return {
    availableBalance: sum(wallet.available),
    withdrawableBalance: withdrawable(wallet),
    disputeDebt: wallet.disputeDebt,
    pendingBalance: sum(wallet.pending),
    reservedBalance: sum(wallet.reserved),
    blockedBalance: sum(wallet.blocked),
    totalEarned: wallet.totalEarned,
    totalWithdrawn: wallet.totalWithdrawn,
    totalFeesPaid: wallet.totalFeesPaid,
    breakdown: {
      PIX: { availableBalance: wallet.available.PIX, pendingBalance: wallet.pending.PIX },
      CARD: { availableBalance: wallet.available.CARD, pendingBalance: wallet.pending.CARD },
      BOLETO: { availableBalance: wallet.available.BOLETO, pendingBalance: wallet.pending.BOLETO },
    },
  };
}
