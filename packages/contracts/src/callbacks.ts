import { z } from 'zod';
import { anonymous, type Definition, type Endpoint, endpointsOf } from './endpoint.ts';

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

/** The facts that the callbacks of all providers share: the secret in the path keeps other callers out. */
const ofProvider = {
  access: anonymous,
  params: z.object({ secret: z.string().min(1) }),
  query: anyQuery,
  fromProvider: true,
  anyBodyType: true,
  data: z.object({ received: z.int() }),
} as const;

/** The callback of Pix providers (API Pix 2.9.0, `pix[]`); it only names the charges to read at the provider. */
const pixCallback = {
  ...ofProvider,
  summary: 'Notice of received Pix',
  body: pixNotice,
  maxBodyBytes: MAX_NOTICE_BYTES,
  errors: ['PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE'],
} as const;

/**
 * The callback of payout providers (in the shape of Efí's `pix[]` with `gnExtras.idEnvio`); it only names the
 * withdrawals to check.
 */
const payoutCallback = {
  ...ofProvider,
  service: 'withdrawals',
  summary: 'Notice of sent Pix',
  body: payoutNotice,
  maxBodyBytes: MAX_NOTICE_BYTES,
} as const;

/**
 * The callbacks of payment providers: the gateway routes them, and the public document omits them. Providers that follow
 * API Pix append `/pix` to the configured address.
 */
export const callbacks = endpointsOf('charges', {
  pixCallback: { ...pixCallback, route: 'POST /callbacks/pix/:secret' },
  pixCallbackWithSuffix: { ...pixCallback, route: 'POST /callbacks/pix/:secret/pix' },
  /**
   * The callback of card acquirers (Pagar.me v5 webhooks); it only names the charge to read. Unlike a Pix notice it names
   * one charge, so the usual limit of a body is enough.
   */
  acquirerCallback: {
    ...ofProvider,
    route: 'POST /callbacks/acquirer/:secret',
    summary: 'Notice of a card charge',
    body: acquirerNotice,
    errors: ['PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE'],
  },
  payoutCallback: { ...payoutCallback, route: 'POST /callbacks/payouts/:secret' },
  payoutCallbackWithSuffix: { ...payoutCallback, route: 'POST /callbacks/payouts/:secret/pix' },
} as const satisfies Record<string, Definition>);

/** A provider's GET or HEAD of a callback's address, which some send before they save it. */
export function probeOf({ body: _body, ...callback }: Endpoint): Endpoint {
  return { ...callback, method: 'get', summary: 'Test of the address' };
}
