import { z } from 'zod';
import { anonymous, type Endpoint } from './endpoint.ts';

/** A provider may append parameters of its own. */
const anyQuery = z.object({});
const MAX_NOTICE_BYTES = 1024 * 1024;
/** Whatever a provider names things by: what can't be printed is no name, and no text for a database either. */
const name = z.string().regex(/^[\x20-\x7e]{0,64}$/);

/** A body without its list is a provider's test of the address: it reports nothing. */
const pixNotice = z.object({
  // A Pix without a txid, or with one we can't have given, is none of ours; it must not hide the others.
  pix: z
    .array(
      z.object({
        txid: z.string().max(35).optional().catch(undefined),
        endToEndId: name.optional().catch(undefined),
      }),
    )
    .max(1000)
    .default([]),
  /** Notices of infractions (MED), by their number at the provider. */
  infracoes: z
    .array(z.object({ idInfracao: name }))
    .max(1000)
    .default([]),
});

const acquirerNotice = z.object({
  data: z.object({ id: name.optional(), code: z.string().max(64).optional().catch(undefined) }).optional(),
});

const payoutNotice = z.object({
  // An item that is no notice of a payout, such as a received Pix, is skipped and hides no other item.
  pix: z
    .array(
      z
        .object({ gnExtras: z.object({ idEnvio: z.string().regex(/^[a-zA-Z0-9]{1,35}$/) }) })
        .optional()
        .catch(undefined),
    )
    .max(1000)
    .default([]),
});

/**
 * The callback of Pix providers (API Pix 2.9.0, `pix[]`). The secret in the path keeps other callers out. The body only
 * names the charges that the service then reads at the provider.
 */
const pixCallback = {
  method: 'post',
  path: '/callbacks/pix/:secret',
  service: 'charges',
  access: anonymous,
  summary: 'Notice of received Pix',
  params: z.object({ secret: z.string().min(1) }),
  query: anyQuery,
  body: pixNotice,
  maxBodyBytes: MAX_NOTICE_BYTES,
  fromProvider: true,
  anyBodyType: true,
  status: 200,
  data: z.object({ received: z.int() }),
  errors: ['NOT_FOUND', 'PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE'],
} as const satisfies Endpoint;

/**
 * The callback of card acquirers (Pagar.me v5 webhooks); it only names the charge to read. Unlike a Pix notice it names
 * one charge, so the usual limit of a body is enough.
 */
const acquirerCallback = {
  method: 'post',
  path: '/callbacks/acquirer/:secret',
  service: 'charges',
  access: anonymous,
  summary: 'Notice of a card charge',
  params: z.object({ secret: z.string().min(1) }),
  query: anyQuery,
  body: acquirerNotice,
  fromProvider: true,
  anyBodyType: true,
  status: 200,
  data: z.object({ received: z.int() }),
  errors: ['NOT_FOUND', 'PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE'],
} as const satisfies Endpoint;

/**
 * The callback of payout providers (in the shape of Efí's `pix[]` with `gnExtras.idEnvio`); it only names the
 * withdrawals to check.
 */
const payoutCallback = {
  method: 'post',
  path: '/callbacks/payouts/:secret',
  service: 'withdrawals',
  access: anonymous,
  summary: 'Notice of sent Pix',
  params: z.object({ secret: z.string().min(1) }),
  query: anyQuery,
  body: payoutNotice,
  maxBodyBytes: MAX_NOTICE_BYTES,
  fromProvider: true,
  anyBodyType: true,
  status: 200,
  data: z.object({ received: z.int() }),
  errors: ['NOT_FOUND'],
} as const satisfies Endpoint;

/**
 * The callbacks of payment providers: the gateway routes them, and the public document omits them. Providers that follow
 * API Pix append `/pix` to the configured address.
 */
export const callbacks = {
  pixCallback,
  pixCallbackWithSuffix: { ...pixCallback, path: '/callbacks/pix/:secret/pix' },
  acquirerCallback,
  payoutCallback,
  payoutCallbackWithSuffix: { ...payoutCallback, path: '/callbacks/payouts/:secret/pix' },
} as const satisfies Record<string, Endpoint>;

/** A provider's GET or HEAD of a callback's address, which some send before they save it. */
export function probeOf({ body: _body, ...callback }: Endpoint): Endpoint {
  return { ...callback, method: 'get', summary: 'Test of the address' };
}
