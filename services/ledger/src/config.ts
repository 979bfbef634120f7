import { signingKey } from '@plataforma/http';
import { eventSettings, orderSettings, serviceSettings } from '@plataforma/service';
import { z } from 'zod';

/** Matches a merchant's id and account number. OFX allows at most 22 characters for an account number. */
const ACCOUNT = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([\w./-]{1,22})$/;

/** Parses `merchantId:number[,…]` into a map from merchants' ids to account numbers. */
const accountIds = z.string().transform((text, context) => {
  const pairs = text.split(',').map((pair) => ACCOUNT.exec(pair.trim())?.slice(1) ?? []);
  const [merchants, numbers] = [0, 1].map((index) => new Set(pairs.map((pair) => pair[index])));
  const isDistinct = merchants?.size === pairs.length && numbers?.size === pairs.length;
  if (!isDistinct || merchants.has(undefined)) {
    const message =
      'must be merchantId:number[,…], each merchant and each number once, in at most 22 characters';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
  return new Map(pairs.map(([merchantId = '', number = '']) => [merchantId, number]));
});

export const ledgerConfig = z.object({
  ...serviceSettings,
  ...eventSettings,
  ...orderSettings,
  /**
   * The key that signs the published hashes of the hash chains, and the calls to the gateway. Without a key
   * the ledger publishes no hashes, and refuses adjustments and unblocks.
   */
  SERVICE_KEY: signingKey.optional(),
  /** The URL of the gateway's internal listener, from which the ledger reads the list of operators. */
  GATEWAY_INTERNAL_URL: z.url().optional(),
  /** The URL of webhooks. Without this URL, the ledger does not compare its events with those of webhooks. */
  WEBHOOKS_URL: z.url().optional(),
  /** The minutes between the starts of two complete checks of the ledger's records. 0 disables the check. */
  BOOKS_CHECK_EVERY_MINUTES: z.coerce.number().int().min(0).max(10_080).default(60),
  /** The BANKID in OFX statements: the number of the bank that holds the merchants' money. */
  OFX_BANK_ID: z
    .string()
    .regex(/^[0-9A-Za-z]{1,9}$/, 'must be 1 to 9 digits or letters')
    .default('0000'),
  /** The ACCTID in OFX statements of merchants whose accounting programs expect a certain account number. */
  OFX_ACCOUNT_IDS: accountIds.optional(),
});

export type LedgerConfig = z.infer<typeof ledgerConfig>;
