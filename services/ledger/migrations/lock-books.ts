/**
 * In the order in which a posting locks them, so that a migration and a posting never wait for each other. Each
 * migration that changes one of them begins with this; no posting comes in between until it is committed.
 */
export const lockBooks =
  'LOCK TABLE wallets, journal_entries, journal_lines, wallet_transactions IN ACCESS EXCLUSIVE MODE;';
