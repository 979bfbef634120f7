import { pixKeyType } from '@plataforma/contracts/fields';
import { z } from 'zod';

const payee = z.object({
  to: z.union([z.object({ destinationId: z.string() }), z.object({ pixKey: z.string(), pixKeyType })]),
  source: z.enum(['MANUAL', 'QR_CODE']),
  /** The payee's text in the last step. */
  text: z.string(),
  name: z.exactOptional(z.string()),
  /** Present for a code with an amount. */
  cents: z.exactOptional(z.number()),
});

/** The payee that the first step selects. */
export type Payee = z.infer<typeof payee>;

const order = z.object({ payee, cents: z.number() });

/** The order that the last step sends. */
export type Order = z.infer<typeof order>;

/** The name under which a reload finds an unanswered order. */
export const FORM = 'withdrawal';

export function orderIn(saved: unknown): Order | undefined {
  return order.safeParse(saved).data;
}
