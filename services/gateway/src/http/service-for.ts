import type { Endpoint, ServiceName } from '@plataforma/contracts';
import { z } from 'zod';

const withType = z.object({ type: z.string() });

/**
 * Selects the service; some endpoints select by the body's `type`. The default service refuses an unreadable
 * body.
 */
export function serviceFor({ service, otherServices }: Endpoint, body: Buffer | null): ServiceName {
  if (!otherServices || !body) return service;
  const requestedType = typeIn(body);
  return otherServices.find(({ type }) => type === requestedType)?.service ?? service;
}

function typeIn(body: Buffer): string {
  try {
    return withType.safeParse(JSON.parse(body.toString())).data?.type ?? '';
  } catch {
    return '';
  }
}
