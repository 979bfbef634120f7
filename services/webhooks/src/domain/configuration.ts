import type { WebhookConfigurationView } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';

/** Per organization, both environments together (contract section 6, rule 9). */
export const MAX_CONFIGURATIONS = 5;

/** Where a merchant wants to hear of which events; the secret stays apart. */
export interface Configuration extends Tenant {
  id: string;
  url: string;
  /** Empty: all. */
  events: WebhookConfigurationView['events'];
  isActive: boolean;
  createdAt: Date;
}

/** A configuration's secret as it is stored. */
export interface SealedSecret {
  keyId: string;
  /** Nonce, tag and ciphertext, one after the other. */
  sealed: Buffer;
}
