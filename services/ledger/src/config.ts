import { signingKey } from '@plataforma/http';
import { eventSettings, serviceSettings } from '@plataforma/service';
import { z } from 'zod';

/** OFX takes an account number of at most 22 characters. */
const ACCOUNT = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([\w./-]{1,22})$/;

/** Parses `merchantId:number[,…]` into a map of account numbers by merchant. */
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
  /** The key that signs the announced heads of the chains. Without it the ledger announces none. */
  SERVICE_KEY: signingKey.optional(),
  /** The minutes from the start of one check of all books to the next; 0 disables the check. */
  BOOKS_CHECK_EVERY_MINUTES: z.coerce.number().int().min(0).max(10_080).default(60),
  /** BANKID of OFX statements, which is the number of the bank that has the merchants' money. */
  OFX_BANK_ID: z
    .string()
    .regex(/^[0-9A-Za-z]{1,9}$/, 'must be 1 to 9 digits or letters')
    .default('0000'),
  /** ACCTID of OFX statements, for merchants whose accounting programs use a number of their own. */
  OFX_ACCOUNT_IDS: accountIds.optional(),
});

export type LedgerConfig = z.infer<typeof ledgerConfig>;
