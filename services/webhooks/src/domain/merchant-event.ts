import type { WebhookEventType } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';

/** An event as merchants receive it. */
export interface MerchantEvent extends Tenant {
  /** The id of the domain event; a test has one of its own. */
  id: string;
  type: WebhookEventType;
  resourceId: string;
  /** Increases for each resource from 1, with gaps. */
  sequence: number;
  occurredAt: string;
  /** The JSON text that is stored, signed and sent; it is identical on every attempt. */
  body: string;
  /** The trace of the event's cause, to which the delivery attempts belong. */
  traceparent: string | null;
}
