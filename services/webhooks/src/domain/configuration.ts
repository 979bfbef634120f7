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
  /** Empty: all. */
  events: WebhookConfigurationView['events'];
  isActive: boolean;
  signatureVersion: SignatureVersion;
  retrySchedule: RetrySchedule;
  /** As of the last attempt. */
  health: WebhookConfigurationView['health'];
  createdAt: Date;
}

/** A configuration with its secret, which is shown this once. */
export interface Shown {
  configuration: Configuration;
  secret: string;
}

/** A configuration's secret as it is stored. */
export interface SealedSecret {
  keyId: string;
  /** Nonce, tag and ciphertext, one after the other. */
  sealed: Buffer;
}

/** In a grace at a time: each is one more signature of every delivery. */
export const MAX_OLD_SECRETS = 4;

/** The same for one that is deleted, another merchant's, or of the other environment. */
export function noSuchConfiguration(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no such webhook configuration');
}

/** As much of a merchant's URL as others may see: what follows the path may be a secret. */
export function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
