import { Refusal, type Tenant } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import CircuitBreaker from 'opossum';
import type { Recipient, RecipientClient } from './efi-recipients.ts';
import type { PayoutProviders } from './payout-client.ts';

const BREAKER = {
  timeout: false,
  errorThresholdPercentage: 50,
  volumeThreshold: 5,
  rollingCountTimeout: 60_000,
  resetTimeout: 10_000,
  // An unusable answer does not count as a failure, because a merchant's choice of key can cause one.
  errorFilter: (error: unknown) => !isUnanswered(error),
} as const;

/**
 * Creates the lookup of a Pix key's owner. In production a circuit breaker refuses lookups at once while the
 * provider does not answer. The sandbox has none, because a merchant there chooses its provider's faults.
 */
export function createRecipientLookup(recipientClientOf: PayoutProviders<RecipientClient>, log: Log) {
  const ask = async (tenant: Tenant, pixKey: string): Promise<Recipient | null> =>
    recipientClientOf(tenant).findRecipient(pixKey);
  const breaker = new CircuitBreaker(ask, BREAKER);
  breaker.on('open', () => log.error('circuit open: lookups of Pix keys are refused'));
  breaker.on('close', () =>
    log.info('circuit closed because the provider answers lookups of Pix keys again'),
  );
  return {
    askForRecipient: async (tenant: Tenant, pixKey: string): Promise<Recipient | null> => {
      if (tenant.environment === 'sandbox') return ask(tenant, pixKey);
      return breaker.fire(tenant, pixKey).catch((error) => {
        throw CircuitBreaker.isOurError(error) ? paused() : error;
      });
    },
    close: async () => breaker.shutdown(),
  };
}

function isUnanswered(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'PROVIDER_UNAVAILABLE';
}

function paused(): Refusal {
  const message = 'the payout provider does not answer lookups of Pix keys; try again shortly';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
