import type { PaymentLinkView } from '@plataforma/contracts';
import { newPaymentLink, paymentLinkChange } from '@plataforma/contracts/payment-link';
import { dayOf, type TimeZone } from '@plataforma/kernel/time-zones';
import type { z } from 'zod';
import { filledIn, textIn } from '../../components/form/form.tsx';
import { currentTime } from '../../shared/clock.ts';
import { centsOf, endOfDay } from '../../shared/format.ts';
import { isDay } from '../search.ts';
import type { Appearance } from './appearance-fields.tsx';

export type NewLink = z.input<typeof newPaymentLink>;
export type LinkChange = z.input<typeof paymentLinkChange>;

const methods = ['PIX', 'CARD'] as const;

/**
 * Returns whether a link's expiry is in the future. The form refuses a past expiry because it is most likely
 * a mistake.
 */
const isToCome = ({ expiresAt }: { expiresAt?: Date | null | undefined }) =>
  !expiresAt || expiresAt.getTime() > currentTime();
const notToCome = { path: ['expiresAt'] };

export const newLinkChecks = newPaymentLink.refine(isToCome, notToCome);

/**
 * Returns the schema that checks a change of a link. The API also refuses a limit of uses below the number of
 * payments, but its error names no field.
 */
export function linkChangeChecks(payments: number) {
  return paymentLinkChange
    .refine(isToCome, notToCome)
    .refine(({ uses }) => typeof uses !== 'number' || uses >= payments, { path: ['uses'] });
}

/**
 * Reads the fields that the form contains. The chosen kind of amount and number of uses decide which fields
 * exist.
 */
export function newLinkIn(data: FormData, { checkoutColor, logo }: Appearance, zone: TimeZone): NewLink {
  return {
    description: textIn(data, 'description'),
    amount: data.has('amount') ? centsOf(textIn(data, 'amount')) : undefined,
    minAmount: centsOf(textIn(data, 'minAmount')) || undefined,
    maxAmount: centsOf(textIn(data, 'maxAmount')) || undefined,
    methods: methods.filter((method) => data.has(method)),
    uses: usesIn(data) ?? undefined,
    expiresAt: endOf(textIn(data, 'expiresAt'), zone),
    ...filledIn(data, 'returnUrl', 'externalId', 'externalIdPrefix'),
    payerName: data.has('payerName') ? textIn(data, 'payerName') : undefined,
    payerDocument: data.has('payerDocument') ? textIn(data, 'payerDocument') : undefined,
    pixExpiresIn: Number(textIn(data, 'pixExpiresIn')) || undefined,
    checkoutColor: checkoutColor ?? undefined,
    logo: logo ?? undefined,
  };
}

/** The link as it was when its form opened, with the time zone in which the form shows the day of expiry. */
export interface OpenedLink extends PaymentLinkView {
  zone: TimeZone;
}

/**
 * Returns only the fields that the user changed, because the other fields may have changed in another window.
 * Null clears a field.
 */
export function linkChangeIn(data: FormData, appearance: Appearance, opened: OpenedLink): LinkChange {
  const description = textIn(data, 'description');
  const uses = data.has('kind') ? usesIn(data) : opened.uses;
  const day = textIn(data, 'expiresAt');
  const returnUrl = textIn(data, 'returnUrl') || null;
  return {
    ...(description !== opened.description && { description }),
    ...(uses !== opened.uses && { uses }),
    ...(day !== endDayOf(opened) && { expiresAt: endOf(day, opened.zone) ?? null }),
    ...(returnUrl !== opened.returnUrl && { returnUrl }),
    ...(appearance.checkoutColor !== opened.checkoutColor && { checkoutColor: appearance.checkoutColor }),
    ...(appearance.logo !== opened.logo && { logo: appearance.logo }),
  };
}

/**
 * Returns the last day of a link, as the form shows it. A link that ends at midnight shows the day before.
 */
export function endDayOf({ expiresAt, zone }: OpenedLink): string {
  return expiresAt ? dayOf(new Date(Date.parse(expiresAt) - 1), zone) : '';
}

function usesIn(data: FormData): number | null {
  const kind = textIn(data, 'kind');
  if (kind === 'some') return Number(textIn(data, 'uses'));
  return kind === 'once' ? 1 : null;
}

/**
 * Returns the end of a day. Text that is no valid day is returned unchanged, and the schema then refuses it.
 */
function endOf(day: string, zone: TimeZone): string | undefined {
  return isDay(day) ? endOfDay(day, zone) : day || undefined;
}
