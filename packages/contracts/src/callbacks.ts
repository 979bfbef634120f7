import { z } from 'zod';
import { anonymous, type Definition, type Endpoint, endpointsOf } from './endpoint.ts';

/** Accepts every query parameter, because a provider may append its own. */
const anyQuery = z.object({});
const MAX_NOTICE_BYTES = 1024 * 1024;
/**
 * The name that a provider gave to an object. Characters that cannot be printed are refused: no real name has
 * them, and the database cannot store all of them.
 */
const name = z.string().regex(/^[\x20-\x7e]{0,64}$/);

/**
 * The body of a Pix callback. A body without `pix` is the provider's test of the address and reports no
 * payment.
 */
const pixNotice = z.object({
  // An item without a valid txid belongs to no charge. The schema accepts it, so that the other items are
  // processed.
  pix: z
    .array(
      z.object({
        txid: z.string().max(35).optional().catch(undefined),
        endToEndId: name.optional().catch(undefined),
      }),
    )
    .max(1000)
    .default([]),
  /** Reports of fraud or operational faults (MED), by their ids at the provider. */
  infracoes: z
    .array(z.object({ idInfracao: name }))
    .max(1000)
    .default([]),
});

const acquirerNotice = z.object({
  data: z.object({ id: name.optional(), code: z.string().max(64).optional().catch(undefined) }).optional(),
});

const payoutNotice = z.object({
  // The schema skips an item that is not about a payout, such as a received Pix, so that the other items are
  // processed.
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

/** The fields that the callbacks of all providers share. Only the provider knows the secret in the path. */
const ofProvider = {
  access: anonymous,
  params: z.object({ secret: z.string().min(1) }),
  query: anyQuery,
  fromProvider: true,
  anyBodyType: true,
  data: z.object({ received: z.int() }),
} as const;

/**
 * The callback of Pix providers (API Pix 2.9.0, `pix[]`). It contains only ids of objects. The service then
 * reads the charges and the infractions (reports of fraud) at the provider.
 */
const pixCallback = {
  ...ofProvider,
  summary: 'Notice of received Pix',
  body: pixNotice,
  maxBodyBytes: MAX_NOTICE_BYTES,
  errors: ['PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE'],
} as const;

/**
 * The callback of payout providers (in the shape of Efí's `pix[]` with `gnExtras.idEnvio`). It only says
 * which withdrawals changed; the service then asks the provider for their status.
 */
const payoutCallback = {
  ...ofProvider,
  summary: 'Notice of sent Pix',
  body: payoutNotice,
  maxBodyBytes: MAX_NOTICE_BYTES,
} as const;

const ofCharges = endpointsOf('charges', {
  pixCallback: { ...pixCallback, route: 'POST /callbacks/pix/:secret' },
  pixCallbackWithSuffix: { ...pixCallback, route: 'POST /callbacks/pix/:secret/pix' },
  /**
   * The callback of card acquirers (Pagar.me v5 webhooks). It names one charge, which the service then reads
   * at the acquirer; the default limit of a body is enough.
   */
  acquirerCallback: {
    ...ofProvider,
    route: 'POST /callbacks/acquirer/:secret',
    summary: 'Notice of a card charge',
    body: acquirerNotice,
    errors: ['PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE'],
  },
} as const satisfies Record<string, Definition>);

const ofWithdrawals = endpointsOf('withdrawals', {
  payoutCallback: { ...payoutCallback, route: 'POST /callbacks/payouts/:secret' },
  payoutCallbackWithSuffix: { ...payoutCallback, route: 'POST /callbacks/payouts/:secret/pix' },
} as const satisfies Record<string, Definition>);

/**
 * The callbacks of payment providers. The gateway routes them; the public document omits them. Providers that
 * follow API Pix append `/pix` to the configured address.
 */
export const callbacks = { ...ofCharges, ...ofWithdrawals };

/**
 * Returns the endpoint for a GET or HEAD of a callback's address. Some providers send this request before
 * they save the address.
 */
export function probeOf({ body: _body, ...callback }: Endpoint): Endpoint {
  return { ...callback, method: 'get', summary: 'Test of the address' };
}
