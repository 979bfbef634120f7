/** The signal that wakes this process's sender when a transaction that concerns its deliveries is committed. */
export const DELIVERIES_SIGNAL = 'deliveries';
