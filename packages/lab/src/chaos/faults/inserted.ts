import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import type { World } from '../world/world.ts';
import { execute } from './database.ts';
import type { Fault, Struck } from './fault.ts';

type Databases = { platform: Pick<World['platform'], 'databaseUrls'> };

const LONG_WAIT = { timeoutMs: 120_000, intervalMs: 250 };
/** How long the fault waits until the service has met a forged row. */
const MEETS = { timeoutMs: 20_000, intervalMs: 250 };
/** The tables have triggers that count rows, so the fault inserts and deletes rows without triggers. */
const withoutTriggers = (statement: string) =>
  `BEGIN; SET LOCAL session_replication_role = replica; ${statement}; COMMIT`;

/** A copy of a row with other contents and the original's seal, as a stolen login could insert it. */
interface Forgery {
  service: 'withdrawals' | 'charges';
  what: string;
  insert(id: string): string;
  /** SQL that returns a row when the service has met the forged row. */
  isMet(id: string): string;
  remove(id: string): string;
}

const forgeries: readonly Forgery[] = [
  {
    service: 'withdrawals',
    what: 'an order to pay',
    insert: (id) => `
      INSERT INTO withdrawals SELECT (jsonb_populate_record(w, jsonb_build_object('id', '${id}',
        'external_id', NULL, 'status', 'DEBITING', 'can_be_asked_for', true, 'approvals_needed', 0,
        'pix_key', '${id}', 'pix_key_type', 'EVP', 'payable_from', NULL, 'started_at', NULL, 'ended_at', NULL,
        'failure_reason', NULL, 'rejected_reason', NULL, 'sequence', 0, 'checks', 0, 'next_check_at', now(),
        'lease_token', NULL, 'lease_until', NULL))).*
      FROM withdrawals w WHERE method = 'PIX' AND seal IS NOT NULL ORDER BY random() LIMIT 1`,
    isMet: (id) => `SELECT FROM withdrawals WHERE id = '${id}' AND checks > 0`,
    remove: (id) => `DELETE FROM withdrawals WHERE id = '${id}'`,
  },
  {
    service: 'charges',
    what: 'an event of a payment',
    insert: (id) => `
      INSERT INTO outbox (event_id, type, body, seal)
      SELECT '${id}', type, replace(replace(body, event_id::text, '${id}'), aggregate, '${id}'), seal
      FROM outbox, LATERAL (SELECT body::jsonb ->> 'aggregateId' AS aggregate) AS parsed
      WHERE type = 'charge.paid' ORDER BY random() LIMIT 1`,
    isMet: (id) =>
      `SELECT FROM outbox WHERE event_id = '${id}' AND (attempts > 0 OR published_at IS NOT NULL)`,
    remove: (id) => `DELETE FROM outbox WHERE event_id = '${id}'`,
  },
];

/**
 * Inserts a forged order and a forged event, and removes each when its service has met it. The services must
 * neither pay the order nor publish the event.
 */
async function insertForgeries({ platform }: Databases): Promise<Struck> {
  const met: string[] = [];
  for (const { service, what, insert, isMet, remove } of forgeries) {
    const url = platform.databaseUrls[service];
    // The id begins with the present time, because the outbox has partitions for the present months only.
    const id = newId();
    await eventually(() => execute(url, withoutTriggers(insert(id))), LONG_WAIT);
    const meeting = async () => {
      if ((await execute(url, isMet(id))).length === 0) throw new Error('the service has not met it yet');
    };
    const isSeen = await eventually(meeting, MEETS).then(
      () => true,
      () => false,
    );
    await eventually(() => execute(url, withoutTriggers(remove(id))), LONG_WAIT);
    if (isSeen) met.push(what);
  }
  return { what: met.join(', '), isInVain: met.length < forgeries.length, mendedAt: Date.now() };
}

export const insertedFaults = [
  { name: 'rows forged by SQL', group: 'database', weight: 2, strike: insertForgeries },
] as const satisfies Fault[];
