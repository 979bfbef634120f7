import type { Endpoint, ServiceName } from '@plataforma/contracts';
import { z } from 'zod';

const typed = z.object({ type: z.string() });

/** Who answers a request: of few endpoints the `type` of the body says it. What can't be read is refused by the usual one. */
export function serviceFor({ service, otherServices }: Endpoint, body: Buffer | null): ServiceName {
  if (!otherServices || !body) return service;
  const asked = typeIn(body);
  return otherServices.find(({ type }) => type === asked)?.service ?? service;
}

function typeIn(body: Buffer): string {
  try {
    return typed.safeParse(JSON.parse(body.toString())).data?.type ?? '';
  } catch {
    return '';
  }
}
