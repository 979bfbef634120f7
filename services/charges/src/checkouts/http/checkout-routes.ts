import { api, edgeIn } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import {
  createBulkhead,
  pageOf,
  type Router,
  serve,
  serveAnonymous,
  serveIdempotent,
} from '@plataforma/http';
import { oneAtATimeByName, type Tenant } from '@plataforma/kernel';
import { actFor } from '@plataforma/observe';
import { aheadOf, merchantTime } from '@plataforma/service';
import type { ChargesDependencies } from '../../dependencies.ts';
import { cancelCharge } from '../../operations/cancel-charge.ts';
import { createCardCharge } from '../../operations/create-card-charge.ts';
import { createPixCharge } from '../../operations/create-pix-charge.ts';
import { listUnmatchedOfVisit } from '../../store/unmatched-of-charge.ts';
import { widestOf } from '../domain/card-testing.ts';
import { requireImage } from '../domain/logo.ts';
import { isBuyer, type PaymentLink } from '../domain/payment-link.ts';
import { changeLink } from '../operations/change-link.ts';
import { createLink } from '../operations/create-link.ts';
import { openCardForm } from '../operations/open-card-form.ts';
import { openCheckout } from '../operations/open-checkout.ts';
import { payByCard } from '../operations/pay-by-card.ts';
import { payByPix } from '../operations/pay-by-pix.ts';
import { findVisitOfBuyer } from '../store/checkouts.ts';
import { findMerchantLogo, saveMerchantLogo } from '../store/merchant-logos.ts';
import { countOf, getLink, getLinkBySlug, listLinks } from '../store/payment-links.ts';
import { readVisit } from '../store/visits.ts';
import { linkInListView, linkView } from './link-view.ts';
import { shopAppearance } from './shop-appearance.ts';
import { type Contested, linkPageView, visitView } from './visit-view.ts';

/**
 * The dependencies of these routes. `disputeOf` finds the open dispute of a charge, and comes from the folder
 * `disputes`.
 */
type CheckoutRoutes = ChargesDependencies & { disputeOf: (chargeId: string) => Promise<Contested | null> };

export function checkoutRoutes(router: Router, dependencies: CheckoutRoutes): void {
  logoRoutes(router, dependencies);
  linkRoutes(router, dependencies);
  visitRoutes(router, dependencies);
}

function logoRoutes(router: Router, { verifier, database }: CheckoutRoutes): void {
  const shown = async (merchantId: string) => ({
    data: { logo: await findMerchantLogo(database, merchantId) },
  });

  serve(router, api.getAccountLogo, {
    verifier,
    answer: (_call, { merchantId }) => shown(merchantId),
  });
  serve(router, api.changeAccountLogo, {
    verifier,
    answer: async ({ body: { logo } }, { merchantId }) => {
      if (logo !== null) requireImage(logo);
      await saveMerchantLogo(database, { merchantId, logo });
      return shown(merchantId);
    },
  });
}

function linkRoutes(router: Router, dependencies: CheckoutRoutes): void {
  const { verifier, database, reads, clock, checkoutUrl } = dependencies;
  const shown = async (tenant: Tenant) => ({
    checkoutUrl,
    now: await merchantTime(database, clock, tenant),
  });

  serveIdempotent(router, api.createPaymentLink, {
    verifier,
    database,
    work: ({ body }, tenant, { saveResponse }) => {
      const fields = { ...body, expiresAt: edgeIn(body.expiresAt, tenant.timeZone) };
      return createLink(dependencies, { tenant, fields }, saveResponse);
    },
    show: async (link: PaymentLink) => ({
      data: linkView({ ...link, visits: 0, starts: 0 }, await shown(link)),
    }),
  });
  serve(router, api.listPaymentLinks, {
    verifier,
    answer: async ({ query }, merchant) => {
      const about = await shown(merchant);
      const page = await listLinks(reads, merchant, { ...query, now: about.now });
      return pageOf(page, query, (link) => linkInListView(link, about));
    },
  });
  const shownLink = async (tenant: Tenant, id: string) => {
    const link = await getLink(database, tenant, id);
    return { data: linkView(link, await shown(tenant)) };
  };
  serve(router, api.getPaymentLink, {
    verifier,
    answer: ({ params }, merchant) => shownLink(merchant, params.id),
  });
  serve(router, api.changePaymentLink, {
    verifier,
    answer: async ({ params, body }, merchant) => {
      const change = { ...body, expiresAt: edgeIn(body.expiresAt, merchant.timeZone) };
      await changeLink(dependencies, { tenant: merchant, id: params.id, change });
      return shownLink(merchant, params.id);
    },
  });
  serveAnonymous(router, api.getLinkPage, {
    verifier,
    answer: async ({ params, query }) => {
      const link = await getLinkBySlug(database, params.slug);
      if (query.again === 'false') await countOf(database, link.id, { visits: 1, starts: 0 });
      const hasToken = isBuyer(link, query.buyerToken);
      const checkoutId = hasToken ? await findVisitOfBuyer(database, link.id) : null;
      return { data: linkPageView(link, { ...(await besideOf(dependencies, link)), checkoutId }) };
    },
  });
}

/**
 * Runs the transactions of one link one after the other. Otherwise each transaction would occupy a connection
 * while it waits for the lock of the link's row.
 */
function databasesByLink(database: Database): (linkId: string) => Database {
  const oneAtATime = oneAtATimeByName();
  return (linkId) => ({
    ...database,
    transaction: (work) => oneAtATime(linkId, () => database.transaction(work)),
  });
}

/** Serves visits. Each route returns the current visit, so that a page needs no second request. */
function visitRoutes(router: Router, dependencies: CheckoutRoutes): void {
  const { verifier, database } = dependencies;
  const databaseOf = databasesByLink(database);
  const inSlot = createBulkhead('buyerPayments');
  /**
   * Each account has its own slots for payments, so that a slow bank delays no buyer of another shop.
   * Networks (/48 or IPv4 /24) get free slots in turn, so that no network delays the others.
   */
  const payInSlot = async (id: string, group: number | null, pay: (its: CheckoutRoutes) => Promise<void>) => {
    const { link } = await readVisit(database, id);
    const network = group === null ? undefined : widestOf(group);
    const account = { merchantId: link.merchantId, environment: link.environment };
    actFor(account);
    await inSlot(account, () => pay({ ...dependencies, database: databaseOf(link.id) }), { network });
    return { data: await shownVisit(id) };
  };
  const shownVisit = async (id: string) => {
    const visit = await readVisit(dependencies.database, id);
    const { link, charge } = visit;
    const [beside, unmatched, dispute] = await Promise.all([
      besideOf(dependencies, link),
      charge ? listUnmatchedOfVisit(dependencies.database, charge) : [],
      charge?.status === 'DISPUTED' ? dependencies.disputeOf(charge.id) : null,
    ]);
    return visitView(visit, { ...beside, unmatched, dispute });
  };

  serveAnonymous(router, api.openCheckout, {
    verifier,
    answer: async ({ params, body }, callerGroup) => {
      const { checkout, isNew } = await openCheckout(dependencies, params.slug, { ...body, callerGroup });
      return { data: await shownVisit(checkout.id), status: isNew ? 201 : 200 };
    },
  });
  serveAnonymous(router, api.getCheckoutVisit, {
    verifier,
    answer: async ({ params }) => ({ data: await shownVisit(params.id) }),
  });
  serveAnonymous(router, api.payByPix, {
    verifier,
    answer: ({ params }, group) =>
      payInSlot(params.id, group, (its) => {
        const createPix: Parameters<typeof payByPix>[0]['createPix'] = (command, idempotency) =>
          createPixCharge(its, command, idempotency);
        return payByPix({ ...its, createPix }, params.id);
      }),
  });
  serveAnonymous(router, api.openCardForm, {
    verifier,
    answer: async ({ params }, group) => {
      const { link } = await readVisit(database, params.id);
      actFor({ merchantId: link.merchantId, environment: link.environment });
      await openCardForm({ ...dependencies, database: databaseOf(link.id) }, params.id, group);
      return { data: await shownVisit(params.id) };
    },
  });
  serveAnonymous(router, api.payByCard, {
    verifier,
    answer: ({ params, body }, group) =>
      payInSlot(params.id, group, (its) => {
        const by: Pick<Parameters<typeof payByCard>[0], 'cancelPix' | 'payCard'> = {
          cancelPix: (tenant, chargeId) => cancelCharge(its, tenant, chargeId),
          payCard: (command, idempotency) => createCardCharge(its, command, idempotency),
        };
        return payByCard({ ...its, ...by }, params.id, { ...body, payerGroup: group });
      }),
  });
}

async function besideOf(dependencies: CheckoutRoutes, link: PaymentLink) {
  const { database, clients, clock } = dependencies;
  const [appearance, aheadMs] = await Promise.all([
    shopAppearance(dependencies, link.merchantId, link),
    aheadOf(database, link),
  ]);
  return { ...appearance, providers: clients, now: clock(), aheadMs };
}
