import { addressRanges, callbackSecrets, signingKey } from '@plataforma/http';
import { MAX_AMOUNT } from '@plataforma/kernel';
import { eventSettings, orderSettings, requireWholeGroups, serviceSettings } from '@plataforma/service';
import { z } from 'zod';

function names(shape: RegExp, reason: string) {
  return z
    .string()
    .default('')
    .transform((text) =>
      text
        .toLowerCase()
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    )
    .refine((list) => list.every((name) => shape.test(name)), reason)
    .transform((list): ReadonlySet<string> => new Set(list));
}

/**
 * Parses the hosts from which the service may fetch a QR code's charge over plain HTTP, even at a private
 * address.
 */
const trustedHosts = names(/^[a-z0-9.-]+:\d{1,5}$/, 'must be host:port, separated by commas');

/** Parses the hosts whose public keys may verify charges that a different host serves. */
const trustedIssuers = names(/^[a-z0-9.-]+$/, 'must be host names, separated by commas');

const optional = z.string().min(1).optional();

const settings = z.object({
  ...serviceSettings,
  ...eventSettings,
  ...orderSettings,
  SERVICE_KEY: signingKey,
  GATEWAY_INTERNAL_URL: z.url(),
  LEDGER_URL: z.url(),
  CHARGES_URL: z.url(),
  /** The URL of webhooks, for the comparison of events. Without a URL the events are not compared. */
  WEBHOOKS_URL: z.url().optional(),
  PAYOUT_CALLBACK_SECRET: callbackSecrets,
  FOUR_EYES_THRESHOLD: z.coerce.number().int().min(0).max(MAX_AMOUNT).default(5_000_000),
  QR_TRUSTED_HOSTS: trustedHosts,
  QR_TRUSTED_ISSUERS: trustedIssuers,
  /** Address ranges of the installation itself, from which the service never fetches a QR code's charge. */
  PRIVATE_ADDRESSES: addressRanges,
  PAYOUT_SANDBOX_URL: z.url().optional(),
  PAYOUT_SANDBOX_CLIENT_ID: optional,
  PAYOUT_SANDBOX_CLIENT_SECRET: optional,
  PAYOUT_SANDBOX_KEY: optional,
  PAYOUT_SANDBOX_CERT_FILE: optional,
  PAYOUT_SANDBOX_KEY_FILE: optional,
  PAYOUT_SANDBOX_CA_FILE: optional,
  PAYOUT_PRODUCTION_URL: z.url().optional(),
  PAYOUT_PRODUCTION_CLIENT_ID: optional,
  PAYOUT_PRODUCTION_CLIENT_SECRET: optional,
  PAYOUT_PRODUCTION_KEY: optional,
  PAYOUT_PRODUCTION_CERT_FILE: optional,
  PAYOUT_PRODUCTION_KEY_FILE: optional,
  PAYOUT_PRODUCTION_CA_FILE: optional,
  SANDBOX_CONTROL_URL: z.url().optional(),
});

/**
 * Refuses a provider with only some of its settings. If production or the sandbox has no provider, its Pix
 * withdrawals are refused with PROVIDER_UNAVAILABLE.
 */
export const withdrawalsConfig = settings.superRefine(
  requireWholeGroups([
    ['PAYOUT', 'URL', 'CLIENT_ID', 'CLIENT_SECRET', 'KEY'],
    ['PAYOUT', 'CERT_FILE', 'KEY_FILE'],
  ]),
);

export type WithdrawalsConfig = z.infer<typeof withdrawalsConfig>;
