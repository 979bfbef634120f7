import type { WebhookConfigurationView } from '@plataforma/contracts';
import { Refusal, type Tenant } from '@plataforma/kernel';

/**
 * The maximum number of configurations that an organization may have in both environments together. The
 * public API documents this limit.
 */
export const MAX_CONFIGURATIONS = 5;

export type SignatureVersion = WebhookConfigurationView['signatureVersion'];
export type RetrySchedule = WebhookConfigurationView['retrySchedule'];

/** A merchant's endpoint and the event types that it receives. Its secret is not in this object. */
export interface Configuration extends Tenant {
  id: string;
  url: string;
  /**
   * The chosen event types. If the list is empty, the endpoint receives all event types except the opt-in
   * types.
   */
  events: WebhookConfigurationView['events'];
  isActive: boolean;
  signatureVersion: SignatureVersion;
  retrySchedule: RetrySchedule;
  /** The health of the endpoint after the last attempt. */
  health: WebhookConfigurationView['health'];
  createdAt: Date;
}

/** A configuration together with its secret, which is shown only once. */
export interface Shown {
  configuration: Configuration;
  secret: string;
}

export interface SealedSecret {
  keyId: string;
  /** The nonce, the tag and the ciphertext of the secret, in this order. */
  sealed: Buffer;
}

/**
 * The maximum number of old secrets of a configuration. During its grace period, each old secret adds a
 * signature to every delivery.
 */
export const MAX_OLD_SECRETS = 4;

/**
 * Returns the refusal for a configuration that is deleted, belongs to another merchant, or is in the other
 * environment.
 */
export function noSuchConfiguration(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no such webhook configuration');
}

/** Returns a merchant's URL without its query, which may contain a secret. */
export function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
