import { pixKeyType } from '@plataforma/contracts/fields';
import { z } from 'zod';

const payee = z.object({
  to: z.union([z.object({ destinationId: z.string() }), z.object({ pixKey: z.string(), pixKeyType })]),
  source: z.enum(['MANUAL', 'QR_CODE']),
  /** What the last step shows. */
  text: z.string(),
  name: z.exactOptional(z.string()),
  /** Of a code that has one. */
  cents: z.exactOptional(z.number()),
});

/** Who is paid, as the first step leaves it. */
export type Payee = z.infer<typeof payee>;

const order = z.object({ payee, cents: z.number() });

/** What the last step sends. */
export type Order = z.infer<typeof order>;

/** By which an order that was not answered is found after a reload. */
export const FORM = 'withdrawal';

export function orderIn(saved: unknown): Order | undefined {
  return order.safeParse(saved).data;
}
