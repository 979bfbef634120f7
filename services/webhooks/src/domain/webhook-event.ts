import type { WebhookEventType } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';

/** An event as merchants receive it. */
export interface WebhookEvent extends Tenant {
  /** The id of the domain event. A test event has an id of its own. */
  id: string;
  type: WebhookEventType;
  resourceId: string;
  /** The sequence number of the event for its resource. It begins at 1, increases, and may have gaps. */
  sequence: number;
  occurredAt: string;
  /** The body as JSON text, which is stored, signed and sent. It is identical on every attempt. */
  body: string;
  /** The trace in which the event was caused. The attempts of its deliveries belong to the same trace. */
  traceparent: string | null;
}
