import type { Database, Queryable, SealedTable, Transaction } from '@plataforma/data';
import { type DomainEvent, type MerchantSnapshot, merchantSnapshot } from '@plataforma/events';
import type { Signer } from '@plataforma/http';
import { type Clock, later } from '@plataforma/kernel';
import { isTrusted, type SealedRows, sealOf } from '@plataforma/tables';
import { createAskGateway } from './operators.ts';
import { type ClockQueue, type MovedClock, raiseClocks } from './sandbox-clocks.ts';

const SAVE = `
  INSERT INTO merchants (id, version, snapshot, seal)
  SELECT DISTINCT ON (id) id, version, snapshot, seal
  FROM jsonb_to_recordset($1) AS updates (id uuid, version integer, snapshot jsonb, seal text)
  ORDER BY id, version DESC
  ON CONFLICT (id) DO UPDATE
    SET version = excluded.version, snapshot = excluded.snapshot, seal = excluded.seal
  WHERE merchants.version <= excluded.version`;

const sealedMerchants: SealedTable = { name: 'merchants', fields: ['version', 'snapshot'] };
/** The copies of merchants, for a command that seals existing rows. */
export const merchantRows: SealedRows = {
  table: sealedMerchants,
  ...{ key: 'id', keyType: 'uuid', columns: ['version', 'snapshot'] },
};

/**
 * Stores the newest snapshots of merchants. A late or repeated snapshot changes nothing. Returns the sandbox
 * clocks of those merchants whose clock was ever moved.
 */
export async function saveMerchants(
  db: Queryable,
  snapshots: readonly MerchantSnapshot[],
): Promise<MovedClock[]> {
  const updates = snapshots.map((snapshot) => {
    const row = { id: snapshot.id, version: snapshot.version, snapshot };
    return { ...row, seal: sealOf(db, sealedMerchants, row) };
  });
  await db.query(SAVE, [JSON.stringify(updates)]);
  return raiseClocks(db, snapshots);
}

/**
 * Returns the event handler of a service that only stores merchants. If the sandbox clock of a merchant was
 * moved, `makeDue` makes the merchant's rows due in the same transaction.
 */
export function keepingMerchants(clock: Clock, makeDue: ClockQueue['makeDue']) {
  return async (tx: Transaction, events: readonly DomainEvent[]): Promise<void> => {
    const snapshots = snapshotsIn(events);
    if (snapshots.length === 0) return;
    const at = clock();
    for (const { merchantId, aheadMs } of await saveMerchants(tx, snapshots)) {
      await makeDue(tx, { merchantId, now: later(at, aheadMs), at });
    }
  };
}

function snapshotsIn(events: readonly DomainEvent[]): MerchantSnapshot[] {
  return events.flatMap((event) => (event.type === 'merchant.updated' ? [event.data] : []));
}

export interface MerchantDirectory {
  /**
   * Gets a merchant. If the service has no copy of the merchant, or a copy without a valid seal, it asks the
   * gateway and stores the answer.
   */
  get(merchantId: string): Promise<MerchantSnapshot>;
  /**
   * Returns the merchant as this process last read it, which may be outdated. Use the result only in a
   * statement that checks the version with `isCurrentSql`.
   */
  recall(merchantId: string): Promise<MerchantSnapshot>;
  /** Asks the gateway for a merchant, and stores the answer. */
  refresh(merchantId: string): Promise<MerchantSnapshot>;
}

/** Returns the SQL condition that the stored snapshot of the merchant still has this version. */
export function isCurrentSql({ merchantId, version }: { merchantId: string; version: string }): string {
  return `EXISTS (SELECT FROM merchants WHERE id = ${merchantId}::uuid AND version = ${version}::integer)`;
}

/** Requires a field that snapshots of older releases lack, so that `get` asks the gateway for a new one. */
const storedSnapshot = merchantSnapshot.extend({
  newPayeesPerDay: merchantSnapshot.shape.newPayeesPerDay.unwrap(),
});

const FIND = 'SELECT id, version, snapshot, seal FROM merchants WHERE id = $1';
type MerchantRow = { id: string; version: number; snapshot: unknown; seal: string | null };
const MAX_CACHED = 10_000;

export function createMerchantDirectory({
  database,
  gatewayUrl,
  signer,
}: {
  database: Database;
  gatewayUrl: string;
  signer: Signer;
}): MerchantDirectory {
  const ask = createAskGateway({ gatewayUrl, signer }, 'the account is not known here yet');
  const cached = new Map<string, MerchantSnapshot>();

  async function get(merchantId: string): Promise<MerchantSnapshot> {
    const [row] = await database.query<MerchantRow>(FIND, [merchantId]);
    const snapshot = storedSnapshot.safeParse(row?.snapshot);
    if (row && snapshot.success && isTrusted(database, sealedMerchants, row)) {
      if (cached.size >= MAX_CACHED) cached.clear();
      cached.set(merchantId, snapshot.data);
      return snapshot.data;
    }
    return refresh(merchantId);
  }

  async function refresh(merchantId: string): Promise<MerchantSnapshot> {
    const fetched = await ask(`/internal/merchants/${merchantId}`, merchantSnapshot);
    await saveMerchants(database, [fetched]);
    return fetched;
  }

  return { get, refresh, recall: async (merchantId) => cached.get(merchantId) ?? get(merchantId) };
}
