import type { PlatformFacts } from '@plataforma/local';
import { z } from 'zod';
import { orderBody } from '../http.ts';

const made = z.object({ data: z.object({ id: z.string() }) });
const events = z.object({ data: z.array(z.object({ event: z.string(), createdAt: z.iso.datetime() })) });

/** The demo merchant's own system, and where its pages are. */
export function shopOf({ baseUrl, webUrl, demo }: PlatformFacts) {
  if (webUrl === null) throw new Error('the platform has no pages');
  const headers = { 'x-api-key': demo.sandboxKey, 'content-type': 'application/json' };
  async function call(method: string, path: string, body?: string): Promise<unknown> {
    const response = await fetch(baseUrl + path, { method, headers, ...(body && { body }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }
  return {
    webUrl,
    newCharge: async () => made.parse(await call('POST', '/v1/charges', orderBody())).data.id,
    pay: (id: string) => call('POST', `/v1/charges/${id}/simulate-payment`, '{}'),
    /** When the payment was recorded, at the end of its transaction; undefined until its event is known. */
    async paidAt(id: string): Promise<number | undefined> {
      const { data } = events.parse(await call('GET', `/v1/events?resourceId=${id}`));
      const paid = data.find(({ event }) => event === 'charge.paid');
      return paid && Date.parse(paid.createdAt);
    },
  };
}
