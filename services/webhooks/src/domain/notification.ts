import type { WebhookEventType } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';

/** What merchants are told of something that happened. */
export interface Notification extends Tenant {
  /** The id of the domain event; a test has one of its own. */
  id: string;
  type: WebhookEventType;
  resourceId: string;
  /** Counts up per resource, from 1 and with gaps. */
  sequence: number;
  occurredAt: string;
  /** The JSON text that is stored, signed and sent, to the letter the same on every attempt. */
  body: string;
  /** What caused it; attempts to deliver it belong to the same trace. */
  traceparent: string | null;
}
