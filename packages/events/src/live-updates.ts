/**
 * Events for live lists, published after the commit, without an outbox, at most once. No rule may depend on
 * them, because one may be lost. The collected updates of a type travel in one message: an array with one
 * signature.
 */
const liveUpdateTypes = [
  'charge.created',
  'charge.cancelled',
  'withdrawal.created',
  'withdrawal.approved',
  'session.ended',
] as const;
export type LiveUpdateType = (typeof liveUpdateTypes)[number];

export function isLiveUpdate(type: string): type is LiveUpdateType {
  return liveUpdateTypes.some((liveUpdate) => liveUpdate === type);
}
