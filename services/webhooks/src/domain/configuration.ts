import type { WebhookConfigurationView } from '@plataforma/contracts';
import { Refusal, type Tenant } from '@plataforma/kernel';

/** The limit of an organization, both environments together; the public contract states it. */
export const MAX_CONFIGURATIONS = 5;

export type SignatureVersion = WebhookConfigurationView['signatureVersion'];
export type RetrySchedule = WebhookConfigurationView['retrySchedule'];

/** An endpoint of a merchant with its event types; the secret is stored apart. */
export interface Configuration extends Tenant {
  id: string;
  url: string;
  /** Empty: all types except the opt-in ones. */
  events: WebhookConfigurationView['events'];
  isActive: boolean;
  signatureVersion: SignatureVersion;
  retrySchedule: RetrySchedule;
  /** The health after the last attempt. */
  health: WebhookConfigurationView['health'];
  createdAt: Date;
}

/** A configuration with its secret, which is shown only once. */
export interface Shown {
  configuration: Configuration;
  secret: string;
}

export interface SealedSecret {
  keyId: string;
  /** The nonce, the tag and the ciphertext, in this order. */
  sealed: Buffer;
}

/** The most secrets in a grace period at a time, because each adds a signature to every delivery. */
export const MAX_OLD_SECRETS = 4;

/**
 * Returns the same refusal for a deleted configuration, another merchant's, or one of the other environment.
 */
export function noSuchConfiguration(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no such webhook configuration');
}

/** Returns a merchant's URL up to its path, because the query may contain a secret. */
export function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
