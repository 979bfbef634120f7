import { createBulkhead, createOrderVerifier, createSigner } from '@plataforma/http';
import { createLedgerClient } from '@plataforma/ledger-client';
import {
  type Core,
  createMerchantDirectory,
  createOperatorDirectory,
  createOperatorSums,
  createSandboxBank,
  createStops,
  openLiveUpdates,
} from '@plataforma/service';
import type { WithdrawalsConfig } from './config.ts';
import { createCreditSums } from './credit-records.ts';
import type { Withdrawal } from './domain/withdrawal.ts';
import { compareBooksBeforePayout } from './operations/compare-books-before-payout.ts';
import { payoutProviders } from './payouts/payout-client.ts';
import { createRecipientLookup } from './payouts/recipient-breaker.ts';
import { payoutClients } from './provider-accounts.ts';
import { openBanks } from './qr/open-banks.ts';
import { hasSignedApprovals, withMissingApprovals } from './signed-orders.ts';
import { tedActions } from './ted-actions.ts';
import type { Tuning } from './tuning.ts';
import { withdrawalLiveUpdates } from './withdrawal-live-updates.ts';

export type WithdrawalsDependencies = Core<WithdrawalsConfig> & ReturnType<typeof buildDependencies>;

export function buildDependencies(
  core: Core<WithdrawalsConfig>,
  { scheduleEveryMs, providerTimeoutMs, ledgerTimeoutMs, ...tuned }: Tuning,
) {
  const { config, log, clock, database, onStop } = core;
  const signer = createSigner('withdrawals', config.SERVICE_KEY);
  const directory = { database, gatewayUrl: config.GATEWAY_INTERNAL_URL, signer };
  const qrBanks = openBanks(config);
  onStop('dependencies', qrBanks.close);
  const liveUpdates = openLiveUpdates('withdrawals', core);
  const ledger = createLedgerClient({ url: config.LEDGER_URL, signer, timeoutMs: ledgerTimeoutMs });
  const asking = { chargesUrl: config.CHARGES_URL, signer, timeoutMs: ledgerTimeoutMs };
  const creditSums = createCreditSums({ database, ...asking });
  const operators = createOperatorDirectory(directory);
  const payoutClientOf = payoutProviders(payoutClients(config, { timeoutMs: providerTimeoutMs }));
  const { askForRecipient, close } = createRecipientLookup(payoutClientOf, log);
  onStop('dependencies', close);
  const teds = tedActions(clock);
  const orderVerifier = createOrderVerifier({
    ...{ mode: config.ORDER_SIGNATURES, keys: config.TRUSTED_KEYS.get('gateway'), clock, log },
  });
  const approvals = { orderVerifier, fourEyesThreshold: config.FOUR_EYES_THRESHOLD };
  return {
    ...tuned,
    everyMs: scheduleEveryMs,
    merchants: createMerchantDirectory(directory),
    operators,
    teds,
    proposals: {
      ...{ database, clock, service: 'withdrawals' as const, operators, actions: Object.values(teds) },
      transaction: database.transaction,
    },
    countDecision: createOperatorSums(directory),
    ledger,
    orderVerifier,
    hasSignedApprovals: (withdrawal: Withdrawal) => hasSignedApprovals(approvals, withdrawal),
    withMissingApprovals: (withdrawal: Withdrawal) => withMissingApprovals(approvals, withdrawal),
    compareBooksBeforePayout: (withdrawal: Withdrawal) =>
      compareBooksBeforePayout({ database, ledger, creditSums, clock, log }, withdrawal),
    payoutClientOf,
    askForRecipient,
    sandboxBank: createSandboxBank(config.SANDBOX_CONTROL_URL),
    stops: createStops(database),
    liveUpdates: withdrawalLiveUpdates(liveUpdates),
    callbackSecrets: config.PAYOUT_CALLBACK_SECRET,
    fourEyesThreshold: config.FOUR_EYES_THRESHOLD,
    qrBanks,
    bulkhead: createBulkhead('pixCodes'),
    recipientBulkhead: createBulkhead('recipients'),
  };
}
