import { z } from 'zod';

/**
 * Fields of an acquirer's charge. An unknown shape is ignored in a field that only describes the charge,
 * because an error would hide whether the charge was paid.
 */
const cents = z.union([
  z.int().nonnegative(),
  z
    .string()
    .regex(/^\d{1,13}$/)
    .transform(Number),
]);
const text = z.string().nullish().catch(undefined);
/**
 * A number by which banks identify the payment: 1 to 64 visible ASCII characters. Any other value is dropped,
 * because it would mislead a comparison with the banks' records.
 */
const bankName = z
  .union([z.string().trim(), z.int().transform(String)])
  .pipe(z.string().regex(/^[\x21-\x7e]{1,64}$/))
  .nullish()
  .catch(undefined);

const lastTransaction = z.object({
  status: text,
  acquirer_return_code: z
    .union([z.string(), z.int().transform(String)])
    .nullish()
    .catch(undefined),
  acquirer_nsu: bankName,
  acquirer_auth_code: bankName,
  antifraud_response: z.object({ status: text }).nullish().catch(undefined),
  card: z.object({ brand: text, last_four_digits: text }).nullish().catch(undefined),
});

export const acquirerCharge = z.object({
  id: z.string().min(1).max(64),
  code: z.string().nullish(),
  amount: cents,
  paid_amount: cents.nullish(),
  canceled_amount: cents.nullish(),
  status: z.string(),
  created_at: text,
  chargeback: z
    .object({ amount: cents.nullish().catch(undefined), reason: text })
    .nullish()
    .catch(undefined),
  last_transaction: lastTransaction.nullish().catch(undefined),
});

export type RawCharge = z.infer<typeof acquirerCharge>;

export const paging = z.object({
  total: cents.nullish().catch(undefined),
  next: text,
});
