import { MAX_SANDBOX_FILE_BYTES } from '@plataforma/contracts';
import { createSecretBox, recordSealingKey } from '@plataforma/data';
import { createSigner } from '@plataforma/http';
import { environments } from '@plataforma/kernel';
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
import { acquirers } from './cards/acquirer-client.ts';
import { chargeLiveUpdates } from './charge-live-updates.ts';
import type { ChargesConfig } from './config.ts';
import { disputeAction } from './disputes/dispute-action.ts';
import type { Charge } from './domain/charge.ts';
import type { PixReceipt } from './domain/payment.ts';
import { confirmPaymentsNow, recordChargePayments } from './operations/confirm-payment.ts';
import { pixProviders } from './pix/pix-client.ts';
import { acquirerClients, pixClients } from './provider-accounts.ts';
import { createCursors } from './store/provider-cursors.ts';
import type { Tuning } from './tuning.ts';

export type ChargesDependencies = Core<ChargesConfig> & Awaited<ReturnType<typeof buildDependencies>>;

export async function buildDependencies(
  core: Core<ChargesConfig>,
  { scheduleEveryMs, providerTimeoutMs, ledgerTimeoutMs, ...tuned }: Tuning,
) {
  const { config, log, clock, database, retry } = core;
  const signer = createSigner('charges', config.SERVICE_KEY);
  const directory = { database, gatewayUrl: config.GATEWAY_INTERNAL_URL, signer };
  const asking = { timeoutMs: providerTimeoutMs, log };
  const clients = { pix: pixClients(config, asking), cards: acquirerClients(config, asking) };
  const pixEnvironments = environments.filter((environment) => clients.pix[environment]);
  await retry(() => createCursors(database, pixEnvironments));
  const keepsUnmatched = config.UNEXPECTED_PAYMENTS === 'hold';
  if (keepsUnmatched) log.warn('UNEXPECTED_PAYMENTS=hold: unmatched payments are not returned');
  const fileBox = config.SEALING_KEYS ? createSecretBox(config.SEALING_KEYS) : null;
  const fileKeyIds = (config.SEALING_KEYS ?? []).map(({ id }) => id);
  const [sealing] = fileKeyIds;
  if (sealing === undefined) log.warn('SEALING_KEYS is not set: disputes take no files');
  else await retry(() => recordSealingKey(database, sealing));
  const pix = pixProviders(clients.pix);
  const liveUpdates = openLiveUpdates('charges', core);
  const operators = createOperatorDirectory(directory);
  const disputeResolution = disputeAction(clock);
  return {
    ...tuned,
    everyMs: scheduleEveryMs,
    refundWaitMs: config.REFUND_WAIT_MS,
    checkoutUrl: config.PUBLIC_CHECKOUT_URL ?? null,
    checkoutRetentionDays: config.CHECKOUT_RETENTION_DAYS,
    merchants: createMerchantDirectory(directory),
    operators,
    countDecision: createOperatorSums(directory),
    fourEyesThreshold: config.FOUR_EYES_THRESHOLD,
    disputeResolution,
    proposals: {
      ...{ database, clock, service: 'charges' as const, operators, actions: [disputeResolution] },
      transaction: database.transaction,
    },
    ledger: createLedgerClient({ url: config.LEDGER_URL, signer, timeoutMs: ledgerTimeoutMs }),
    bank: createSandboxBank(config.SANDBOX_CONTROL_URL),
    stops: createStops(database),
    liveUpdates: chargeLiveUpdates(liveUpdates),
    callbackSecrets: config.PIX_CALLBACK_SECRET,
    clients,
    pix,
    confirmPaymentsNow: (charge: Charge) => confirmPaymentsNow({ database, pix, log }, charge),
    recordChargePayments: (chargeId: string, payments: readonly PixReceipt[]) =>
      recordChargePayments({ database, log }, chargeId, payments),
    acquirers: acquirers(clients.cards),
    pixEnvironments,
    keepsUnmatched,
    fileBox,
    fileQuotas: { sandbox: MAX_SANDBOX_FILE_BYTES, production: config.FILE_QUOTA_MB * 1_000_000 },
    fileKeyIds,
  };
}
