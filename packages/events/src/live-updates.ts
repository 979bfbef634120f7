/**
 * Events for live lists: published after the commit and without an outbox, at most once. One may be missing, and nothing
 * is decided by it. What was collected of a type travels as one message: an array, of one signature.
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
