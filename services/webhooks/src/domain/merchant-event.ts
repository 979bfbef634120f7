import type { WebhookEventType } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';

/** An event as merchants receive it. */
export interface MerchantEvent extends Tenant {
  /** The id of the domain event; a test has one of its own. */
  id: string;
  type: WebhookEventType;
  resourceId: string;
  /** Counts up per resource, from 1 and with gaps. */
  sequence: number;
  occurredAt: string;
  /** The JSON text that is stored, signed and sent, to the letter the same on every attempt. */
  body: string;
  /** The trace of its cause, to which the attempts to deliver it belong. */
  traceparent: string | null;
}
