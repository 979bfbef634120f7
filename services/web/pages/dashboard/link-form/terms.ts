import '../../shared/zod.ts';
import { newPaymentLink, paymentLinkChange } from '@plataforma/contracts/payment-link';
import type { z } from 'zod';
import { textIn, textOrNothing } from '../../parts/form/form.tsx';
import { centsOf } from '../../shared/format.ts';
import type { Look } from './look-fields.tsx';

export type NewLink = z.input<typeof newPaymentLink>;
export type LinkChange = z.input<typeof paymentLinkChange>;

const methods = ['PIX', 'CARD'] as const;

/** A link that has ended when it is made, or by its change, is a slip of the hand. */
const isToCome = ({ expiresAt }: { expiresAt?: Date | null | undefined }) =>
  !expiresAt || expiresAt.getTime() > Date.now();
const notToCome = { path: ['expiresAt'] };

export const newLinkChecks = newPaymentLink.refine(isToCome, notToCome);

/** Fewer uses than are taken the API refuses, too, but says so of no field. */
export function linkChangeChecks(taken: number) {
  return paymentLinkChange
    .refine(isToCome, notToCome)
    .refine(({ uses }) => typeof uses !== 'number' || uses >= taken, { path: ['uses'] });
}

/** Of the fields that are there: which those are says how the amount is meant, and how often it can be paid. */
export function newLinkIn(data: FormData, { color, logo }: Look): NewLink {
  return {
    description: textIn(data, 'description'),
    amount: data.has('amount') ? centsOf(textIn(data, 'amount')) : undefined,
    minAmount: centsOf(textIn(data, 'minAmount')) || undefined,
    maxAmount: centsOf(textIn(data, 'maxAmount')) || undefined,
    methods: methods.filter((method) => data.has(method)),
    uses: usesIn(data) ?? undefined,
    expiresAt: endOfDay(textIn(data, 'expiresAt')),
    returnUrl: textOrNothing(data, 'returnUrl'),
    externalId: textOrNothing(data, 'externalId'),
    externalIdPrefix: textOrNothing(data, 'externalIdPrefix'),
    payerName: data.has('payerName') ? textIn(data, 'payerName') : undefined,
    payerDocument: data.has('payerDocument') ? textIn(data, 'payerDocument') : undefined,
    pixExpiresIn: Number(textIn(data, 'pixExpiresIn')) || undefined,
    color: color ?? undefined,
    logo: logo ?? undefined,
  };
}

/** Null takes away what is empty; a day that was not touched keeps its hour. */
export function linkChangeIn(data: FormData, look: Look & { expires: string }): LinkChange {
  const day = textIn(data, 'expiresAt');
  return {
    description: textIn(data, 'description'),
    ...(data.has('kind') && { uses: usesIn(data) }),
    ...(day !== look.expires && { expiresAt: endOfDay(day) ?? null }),
    returnUrl: textOrNothing(data, 'returnUrl') ?? null,
    color: look.color,
    logo: look.logo,
  };
}

function usesIn(data: FormData): number | null {
  const kind = textIn(data, 'kind');
  if (kind === 'some') return Number(textIn(data, 'uses'));
  return kind === 'once' ? 1 : null;
}

/** Its last second in São Paulo, which has had no summer time since 2019. */
function endOfDay(day: string): string | undefined {
  return day === '' ? undefined : `${day}T23:59:59-03:00`;
}
