/**
 * Events for live lists: published after the commit and without an outbox, at most once. One may be missing, and nothing
 * is decided by it.
 */
export type HintType = 'charge.created' | 'charge.cancelled' | 'withdrawal.created' | 'withdrawal.approved';
