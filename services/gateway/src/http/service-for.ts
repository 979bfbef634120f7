import type { Endpoint, ServiceName } from '@plataforma/contracts';
import { z } from 'zod';

const withType = z.object({ type: z.string() });

/**
 * Returns the service for a request. Some endpoints choose it by the `type` in the body. The default service
 * refuses an invalid body.
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
