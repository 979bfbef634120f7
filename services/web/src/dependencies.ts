import { createSecretBox } from '@plataforma/data';
import { type Bulkhead, clientAddress, createBulkhead, createSendFile, pools } from '@plataforma/http';
import { systemClock } from '@plataforma/kernel';
import { addressList } from '@plataforma/kernel/addresses';
import type { Log } from '@plataforma/observe';
import { readCheckout } from './checkout/document.ts';
import type { WebConfig } from './config.ts';
import { fontOf, readDocuments } from './dashboard/documents.ts';
import { readDownloads } from './downloads/files.ts';
import { type Gateway, openGateway } from './gateway.ts';
import { assetsOf } from './http/assets.ts';
import { readBuilt } from './http/built.ts';
import { createHub } from './live/hub.ts';
import { createAccessTokens } from './session/access-tokens.ts';
import { createSessions } from './session/sessions.ts';
import { createTenants } from './session/tenants.ts';
import type { Tuning } from './tuning.ts';

export type WebDependencies = Awaited<ReturnType<typeof buildDependencies>>;

/**
 * Each kind of request has its own slots and gateway connections, so that no other kind delays it. A client
 * network gets only a share of the slots.
 */
export interface GatewayPool {
  inSlot: Bulkhead;
  gateway: Gateway;
}

interface Core {
  config: WebConfig;
  log: Log;
  tuning: Tuning;
}

export async function buildDependencies({ config, log, tuning }: Core) {
  const isSecure = new URL(config.PUBLIC_URL).protocol === 'https:';
  const ofPages = pools.pages.total + pools.pageWaits.total;
  const newPool = (inSlot: Bulkhead, { total }: { total: number }): GatewayPool => ({
    inSlot,
    gateway: openGateway(config.GATEWAY_URL, log, total),
  });
  const box = createSecretBox(config.SEALING_KEYS);
  const clock = tuning.clock ?? systemClock;
  const before = { folder: config.PREVIOUS_PAGES, clock };
  const [dashboard, checkout, card] = await Promise.all([
    readBuilt('dashboard'),
    readBuilt('checkout'),
    readBuilt('checkout-card'),
  ]);
  const sessions = createSessions({ box, clock, isSecure });
  const addressOf = clientAddress(addressList(config.TRUSTED_PROXIES));
  const gatewayPools = {
    buyerPages: newPool(createBulkhead('buyerPages'), pools.buyerPages),
    buyerForms: newPool(createBulkhead('buyerForms'), pools.buyerForms),
    logIns: newPool(createBulkhead('logIns'), pools.logIns),
    sessions: newPool(createBulkhead('sessions'), pools.sessions),
  };
  return {
    ...{ config, log, tuning, isSecure, gatewayPools, sessions },
    accessTokens: createAccessTokens({ gateway: gatewayPools.sessions.gateway, sessions, clock }),
    pagesGateway: openGateway(config.GATEWAY_URL, log, ofPages),
    tenants: createTenants(),
    addressOf,
    sendFile: createSendFile({ longAnswers: createBulkhead('longAnswers'), addressOf }),
    live: createHub(),
    downloads: { ...(await readDownloads()), font: fontOf(dashboard) ?? '' },
    dashboard: {
      assets: await assetsOf(dashboard, 'dashboard', before),
      documents: await readDocuments(dashboard, {
        'api-url': config.PUBLIC_API_URL,
        'terms-url': config.TERMS_URL,
        'support-url': config.SUPPORT_URL,
        'privacy-url': config.PRIVACY_URL,
      }),
    },
    checkout: {
      assets: await assetsOf(checkout, 'checkout', before),
      cardAssets: await assetsOf(card, 'checkout-card', before),
      documents: await readCheckout({ brand: config.BRAND_NAME, privacyUrl: config.PRIVACY_URL ?? '' }),
    },
  };
}
