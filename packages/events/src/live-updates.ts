import { isPageUpdate, type PageUpdateType } from './page-updates.ts';

/**
 * Events for lists on open pages, published after the commit and without an outbox. No rule may depend on
 * them, because an event may be lost. Live updates of one type are collected and sent in one message: an
 * array with one signature.
 */
const liveUpdateTypes = [
  'charge.created',
  'charge.cancelled',
  'withdrawal.created',
  'withdrawal.approved',
  'session.ended',
] as const;
export type LiveUpdateType = (typeof liveUpdateTypes)[number] | PageUpdateType;

export function isLiveUpdate(type: string): type is LiveUpdateType {
  return isPageUpdate(type) || liveUpdateTypes.some((liveUpdate) => liveUpdate === type);
}
