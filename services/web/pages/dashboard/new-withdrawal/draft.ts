import { pixKeyType } from '@plataforma/contracts/fields';
import { z } from 'zod';

const payee = z.object({
  to: z.union([z.object({ destinationId: z.string() }), z.object({ pixKey: z.string(), pixKeyType })]),
  source: z.enum(['MANUAL', 'QR_CODE']),
  /** The text that the last step shows for the payee. */
  text: z.string(),
  name: z.exactOptional(z.string()),
  /** The Pix key, whose owner the last step shows. */
  key: z.exactOptional(z.object({ pixKey: z.string(), pixKeyType })),
  /** The amount of a Pix code, if the code contains one. */
  cents: z.exactOptional(z.number()),
});

/** The payee that the first step selects. */
export type Payee = z.infer<typeof payee>;

const order = z.object({ payee, cents: z.number() });

/** The order that the last step sends. */
export type Order = z.infer<typeof order>;

/**
 * The name under which the page stores an order that has no answer yet. After a reload the page finds the
 * order by this name.
 */
export const FORM = 'withdrawal';

export function orderIn(saved: unknown): Order | undefined {
  return order.safeParse(saved).data;
}
