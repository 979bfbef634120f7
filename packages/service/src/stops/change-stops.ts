import { api, type StopOrder } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import {
  endersOf,
  findSameStop,
  insertStop,
  lockStop,
  makeStoppedDue,
  type OrderStop,
  type StoppedOrders,
  saveStop,
  writeAudit,
} from '@plataforma/tables';
import type { ActiveOperators } from '../operators.ts';
import { type Asking, decideApproval, operatorsFor } from '../second-operator.ts';

export interface StopDependencies {
  database: Database;
  log: Log;
  operators: ActiveOperators;
  /** The kinds of orders in this service that operators can stop. */
  orders: readonly StoppedOrders[];
}

/**
 * Begins a stop of orders, or returns the active stop of the same orders. Tries again if that stop ends in
 * the meantime.
 */
export async function beginStop(
  database: Database,
  order: StopOrder,
  operatorId: string,
): Promise<{ stop: OrderStop; isNew: boolean }> {
  const made = await database.transaction(async (tx) => {
    const stop = await insertStop(tx, order, operatorId);
    if (!stop) return null;
    const { id: subjectId, what, provider, merchantId, reason } = stop;
    await writeAudit(tx, {
      ...{ operatorId, action: 'stop.begin', subjectId, reason },
      before: { isStopped: false },
      after: { isStopped: true, what, provider, merchantId },
    });
    return stop;
  });
  if (made) return { stop: made, isNew: true };
  const same = await findSameStop(database, order);
  return same ? { stop: same, isNew: false } : beginStop(database, order, operatorId);
}

/**
 * Returns the stop after an operator's request to end it. Refuses with INVALID_STATE if the stop has already
 * ended.
 */
function afterEnd(stop: OrderStop, asking: Asking): OrderStop {
  if (stop.end) throw new Refusal('conflict', 'INVALID_STATE', 'it was started again already');
  const step = { by: asking.operatorId, at: asking.now };
  const approval = decideApproval(stop.proposal, asking);
  if (approval === 'alone') return { ...stop, proposal: null, end: step };
  if (approval === 'first') return { ...stop, proposal: step };
  return approval === 'same' ? stop : { ...stop, end: step };
}

/**
 * Records an operator's request to end a stop. The stop ends when a second operator, or a single operator,
 * requests it.
 */
export async function startStop(
  { database, log, operators, orders }: StopDependencies,
  { id, operatorId }: { id: string; operatorId: string },
): Promise<OrderStop> {
  const active = operatorsFor(api.startStop, await operators());
  const stop = await database.transaction(async (tx) => {
    const locked = await lockStop(tx, id);
    if (!locked) throw new Refusal('missing', 'NOT_FOUND', 'there is no stop with this id');
    const { stop: before, now } = locked;
    const after = afterEnd(before, { operatorId, active, now });
    if (after === before) return before;
    await saveStop(tx, after);
    await writeAudit(tx, {
      ...{
        operatorId,
        action: after.end ? 'stop.start' : 'stop.propose_start',
        subjectId: id,
        reason: null,
      },
      before: { isStopped: true, startedBy: endersOf(before) },
      after: { ...endOf(after), startedBy: endersOf(after) },
    });
    return after;
  });
  if (stop.end) {
    // This statement makes only a limited number of orders due, and it may fail. Every other order resumes
    // when its backoff has ended.
    await makeStoppedDue(database, orders, stop).catch((err) =>
      log.warn({ err, stopId: id }, 'stopped work resumes later than its start'),
    );
  }
  return stop;
}

function endOf({ end, proposal }: OrderStop) {
  return end ? { isStopped: false, isAlone: proposal === null } : { isStopped: true };
}
