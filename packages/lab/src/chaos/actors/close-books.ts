import { setTimeout as sleep } from 'node:timers/promises';
import { lettersOfAll, replay } from './acts/dead-letters.ts';
import { decide } from './acts/money-out.ts';
import type { Client, Thing } from './client.ts';

const TIMEOUT_MS = 60_000;
const PAUSE_MS = 1_000;

/**
 * Replays the dead letters and decides all pending withdrawals, so that no withdrawal waits for an operator.
 * Each of the two steps takes at most about a minute.
 */
export async function closeBooks(operators: readonly [Client, Client]): Promise<void> {
  await replayAll(operators[0]);
  const deadline = Date.now() + TIMEOUT_MS;
  for (let round = 1; Date.now() < deadline; round += 1) {
    if ((await decideAll(operators, round)) === 0) return;
    await sleep(PAUSE_MS);
  }
}

async function replayAll(operator: Client): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (const letter of await lettersOfAll(operator)) {
    if (Date.now() > deadline) return;
    await replay(operator, letter, `replay ${letter.id}`);
  }
}

/**
 * Decides the open withdrawals and returns their number. A list that can't be read counts as one open
 * withdrawal.
 */
async function decideAll([first, second]: readonly [Client, Client], round: number): Promise<number> {
  const pending = await withdrawals(first, 'status=PENDING');
  const approved = await withdrawals(first, 'status=APPROVED&method=TED');
  const sent = await withdrawals(first, 'status=PROCESSING&method=TED');
  for (const { id, approvalsNeeded } of pending ?? []) {
    await decide(first, { id, step: 'approve', intent: `approve ${id} ${round}` });
    if (approvalsNeeded !== 2) continue;
    await decide(second, { id, step: 'approve', intent: `approve, too, ${id} ${round}` });
  }
  for (const { id } of sent ?? []) {
    await decide(first, { id, step: 'complete', intent: `complete ${id} ${round}` });
  }
  return [pending, approved, sent].reduce((sum, list) => sum + (list?.length ?? 1), 0);
}

async function withdrawals(operator: Client, which: string): Promise<Thing[] | null> {
  const path = `/v1/admin/withdrawals?limit=100&${which}`;
  const { isDone, list } = await operator.read('list-open-withdrawals', path);
  return isDone ? list : null;
}
