import type { PlatformFacts } from '@plataforma/testing';
import { z } from 'zod';

/** `data` of a success; throws on anything else, and when there is no answer in time. */
export type Caller = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

const answer = z.object({ data: z.record(z.string(), z.unknown()) });

export function callerOf(baseUrl: string, credentials: Record<string, string>, timeoutMs = 5_000): Caller {
  return async (method, path, body) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...credentials },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 200)}`);
    return answer.parse(JSON.parse(text)).data;
  };
}

/** The operator whom every platform begins with. */
export async function operatorOf(
  { baseUrl, operator }: Pick<PlatformFacts, 'baseUrl' | 'operator'>,
  timeoutMs?: number,
): Promise<Caller> {
  const { accessToken } = await callerOf(baseUrl, {}, timeoutMs)('POST', '/v1/admin/auth/login', operator);
  return callerOf(baseUrl, { authorization: `Bearer ${accessToken}` }, timeoutMs);
}
