import { columnsOf, type Database, namesOf, type Queryable, valuesIn } from '@plataforma/data';
import type { IdempotencyRecord } from '@plataforma/http';
import { isCurrentSql } from '@plataforma/service';
import { isStoppedSql } from '@plataforma/tables';
import type { Charge } from '../domain/charge.ts';
import { subjectOf } from '../domain/stop-subject.ts';
import { withSeal } from './charge-rows.ts';
import { readCharge } from './charges.ts';

const STORED = columnsOf(`
  id, merchant_id, environment, external_id, payment_link_id, checkout_id, txid, payment_method,
  amount_cents AS amount,
  fee_cents AS feeAmount, net_cents AS netAmount, status, payer_name, payer_document, payer_email,
  description,
  created_at, expires_at, installments, next_check_at AS dueAt, lease_token, lease_until, metadata, seal,
  card_token_hash`);
const NAMES = namesOf(STORED);
const BESIDE = ['what', 'provider', 'merchant_version'];
/** Returns the placeholder of a column, or of an additional value, in the statement. */
const parameterOf = (name: string) => `$${[...NAMES, ...BESIDE].indexOf(name) + 1}`;
const merchantId = parameterOf('merchant_id');
const version = parameterOf('merchant_version');
const ORDER = ['merchant_id', 'environment', 'external_id', 'payment_link_id'].map(parameterOf).join(', ');
const INSERT = `
  INSERT INTO charges (${NAMES.join(', ')})
  SELECT ${NAMES.map(parameterOf).join(', ')}
  WHERE NOT ${isStoppedSql({ what: parameterOf('what'), provider: parameterOf('provider'), merchantId })}
    AND lock_order(${ORDER})
    AND (${version}::integer IS NULL OR ${isCurrentSql({ merchantId, version })})
  ON CONFLICT DO NOTHING
  RETURNING id`;

/** A charge to store, and the values that the statement checks before it stores the charge. */
export interface Planned {
  /** The charge with its seal, from `withSeal`. */
  charge: Charge;
  cardTokenHash: Buffer | null;
  /**
   * The version of the cached merchant from which the charge's fee was computed. Null if the merchant was
   * read for this request.
   */
  merchantVersion: number | null;
}

/**
 * Inserts a charge in one statement. A card charge already contains the lease of its request. Returns false
 * when the externalId is taken, the card token was used, a stop applies, or the merchant has changed.
 */
export async function insertCharge(
  db: Queryable,
  { charge, cardTokenHash, merchantVersion }: Planned,
): Promise<boolean> {
  const row = { ...charge, installments: charge.card?.installments, cardTokenHash };
  const { what, provider } = subjectOf('charges', charge);
  const values = [...valuesIn(row, STORED), what, provider, merchantVersion];
  return (await db.query(INSERT, values)).length === 1;
}

/** Inserts a charge. For a request with an Idempotency-Key, also starts its idempotency record. */
export async function storeCharge<Result>(
  database: Database,
  planned: Planned,
  { isKeyed, start }: IdempotencyRecord<Result>,
): Promise<boolean> {
  if (!isKeyed) return insertCharge(database, planned);
  return database.transaction(async (tx) => {
    const isNew = await insertCharge(tx, planned);
    if (isNew) await start(tx, planned.charge.id);
    return isNew;
  });
}

/** An unchanged seal shows that no sealed field has changed since the charge was read. */
const SET_QR_CODE = `
  UPDATE charges
  SET qr_code = $2, seal = $4,
      next_check_at = CASE WHEN is_unanswered OR checks > 0 THEN least(expires_at, $3) ELSE next_check_at END,
      is_unanswered = false, lease_token = NULL, lease_until = NULL
  WHERE id = $1 AND status = 'PENDING' AND seal IS NOT DISTINCT FROM $5
  RETURNING next_check_at AS "dueAt"`;

/** Only another request, a cancellation or an expiry changes a charge during its registration. */
const MAX_CHANGES = 3;

/**
 * Records the Pix code of a pending charge, and returns the current charge. A first registration keeps the
 * time of the next check, so that it updates no index. A repeated registration sets that time.
 */
export async function setQrCode(
  db: Queryable,
  charge: Charge,
  { qrCode, dueAt }: { qrCode: string; dueAt: Date },
): Promise<Charge> {
  let read = charge;
  for (let changes = 0; changes < MAX_CHANGES && read.status === 'PENDING'; changes += 1) {
    const registered = withSeal(db, {
      ...read,
      qrCode: read.qrCode ?? qrCode,
      leaseToken: null,
      leaseUntil: null,
    });
    const values = [read.id, registered.qrCode, dueAt, registered.seal, read.seal];
    const [row] = await db.query<Pick<Charge, 'dueAt'>>(SET_QR_CODE, values);
    if (row) return { ...registered, ...row };
    read = await readCharge(db, charge.id);
  }
  return read;
}

const RECORD_UNANSWERED = `
  UPDATE charges SET is_unanswered = true, next_check_at = least(next_check_at, $2)
  WHERE id = $1 AND status = 'PENDING' AND qr_code IS NULL AND NOT is_unanswered`;

/**
 * Records that the provider returned no code. Repeated calls change nothing. The scheduler registers the
 * charge again at `dueAt` at the latest.
 */
export async function recordUnanswered(db: Queryable, id: string, dueAt: Date): Promise<void> {
  await db.query(RECORD_UNANSWERED, [id, dueAt]);
}
