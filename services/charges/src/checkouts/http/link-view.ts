import { maskedDocument, qrImageDataUri } from '@plataforma/brcode';
import type { PaymentLinkInListView, PaymentLinkView } from '@plataforma/contracts';
import { buyerTokenOf, linkStatusOf } from '../domain/payment-link.ts';
import type { CountedLink } from '../store/payment-links.ts';

export interface ShownLinks {
  /** The base URL of the pages of payment links; null when the installation has no such pages. */
  checkoutUrl: string | null;
  now: Date;
}

export function linkInListView(link: CountedLink, { checkoutUrl, now }: ShownLinks): PaymentLinkInListView {
  const { id, slug, environment, isActive, description, amount, minAmount, maxAmount, methods } = link;
  const { uses, returnUrl, externalId, externalIdPrefix, payerName, payerDocument, pixExpiresIn, color } =
    link;
  return {
    ...{ id, slug, environment, isActive, description, amount, minAmount, maxAmount, methods, uses },
    ...{ returnUrl, externalId, externalIdPrefix, payerName, pixExpiresIn, checkoutColor: color, color },
    url: checkoutUrl === null ? null : new URL(`/pay/l/${slug}`, checkoutUrl).href,
    status: linkStatusOf(link, now),
    usesTaken: Math.min(link.taken, uses ?? link.taken),
    expiresAt: link.expiresAt?.toISOString() ?? null,
    payerDocument: payerDocument === null ? null : maskedDocument(payerDocument),
    ...{ visits: link.visits, starts: link.starts, payments: link.paid },
    createdAt: link.createdAt.toISOString(),
  };
}

export function linkView(link: CountedLink, shown: ShownLinks): PaymentLinkView {
  const view = linkInListView(link, shown);
  const token = buyerTokenOf(link);
  return {
    ...view,
    buyerUrl: view.url === null || token === null ? null : `${view.url}?t=${token}`,
    logo: link.logo,
    qrCodeBase64: view.url === null ? null : qrImageDataUri(view.url),
  };
}
