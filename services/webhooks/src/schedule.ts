import { every, type Log } from '@plataforma/chassis';
import type { Sender } from './sending/sender.ts';

const POLL_MS = 1_000;

/** What the clock calls: the sender looks for what no signal told of, such as leases of senders that died. */
export function startSchedule(sender: Sender, log: Log): { stop(): Promise<void> } {
  return every({ everyMs: POLL_MS, log, name: 'due deliveries', work: async () => sender.wake() });
}
