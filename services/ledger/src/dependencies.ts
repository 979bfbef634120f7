import type { Transaction } from '@plataforma/data';
import { createOrderVerifier, createSigner } from '@plataforma/http';
import { Refusal, type Tenant } from '@plataforma/kernel';
import { type ActiveOperators, type Core, createOperatorDirectory } from '@plataforma/service';
import { applyingEvents } from './apply-events.ts';
import type { LedgerConfig } from './config.ts';
import { createDebits } from './operations/take-debit.ts';
import { againIfDuplicate } from './store/journal.ts';
import type { Tuning } from './tuning.ts';
import { walletActions } from './wallet-actions.ts';

export type LedgerDependencies = Core<LedgerConfig> & ReturnType<typeof buildDependencies>;

export function buildDependencies(
  { config, log, database, clock }: Core<LedgerConfig>,
  { scheduleEveryMs, ...tuned }: Tuning,
) {
  return {
    ...tuned,
    everyMs: scheduleEveryMs,
    checkBooksEveryMs: config.BOOKS_CHECK_EVERY_MINUTES * 60_000,
    ofxAccountOf: ({ merchantId, environment }: Tenant) => ({
      bankId: config.OFX_BANK_ID,
      accountId: config.OFX_ACCOUNT_IDS?.get(merchantId) ?? inBase64(merchantId),
      environment,
    }),
    takeDebit: createDebits({ database, log }),
    orderVerifier: createOrderVerifier({
      ...{ mode: config.ORDER_SIGNATURES, keys: config.TRUSTED_KEYS.get('gateway'), clock, log },
      receiverKey: config.SERVICE_KEY,
    }),
    apply: applyingEvents(log),
    proposals: {
      ...{ database, clock, service: 'ledger' as const, actions: Object.values(walletActions) },
      operators: operatorsBy(config, log),
      transaction: <T>(work: (tx: Transaction) => Promise<T>) =>
        againIfDuplicate(() => database.transaction(work)),
    },
  };
}

/** Without the gateway's address or a key of its own, the ledger refuses adjustments and unblocks. */
function operatorsBy(
  { GATEWAY_INTERNAL_URL: gatewayUrl, SERVICE_KEY }: LedgerConfig,
  log: Core<LedgerConfig>['log'],
): ActiveOperators {
  if (gatewayUrl !== undefined && SERVICE_KEY !== undefined) {
    return createOperatorDirectory({ gatewayUrl, signer: createSigner('ledger', SERVICE_KEY) });
  }
  const message = 'the ledger needs GATEWAY_INTERNAL_URL and SERVICE_KEY for adjustments and unblocks';
  log.warn(message);
  return async () => {
    throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
  };
}

/** Shortens an id to the 22 characters that OFX allows for an account number. */
const inBase64 = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
