import type { PlatformFacts } from '@plataforma/local';
import { Plataforma } from '@plataforma/sdk';
import { order } from '../http.ts';

export function shopOf({ baseUrl, webUrl, demo }: PlatformFacts) {
  if (webUrl === null) throw new Error('the platform has no pages');
  const { charges, events } = new Plataforma({ apiKey: demo.sandboxKey, baseUrl });
  return {
    webUrl,
    newCharge: async () => (await charges.create(order())).id,
    pay: (id: string) => charges.simulatePayment(id),
    /**
     * Returns the time at which the payment was recorded, or undefined while the payment's event does not
     * exist yet.
     */
    async paidAt(resourceId: string): Promise<number | undefined> {
      const { data } = await events.list({ resourceId }).page();
      const paid = data.find(({ event }) => event === 'charge.paid');
      return paid && Date.parse(paid.createdAt);
    },
  };
}
