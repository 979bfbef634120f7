/**
 * Milliseconds between two polls of a service under test. Polls are frequent, so that tests are quick, but
 * not so frequent that they keep the processor busy.
 */
export const TICK_MS = 100;

/** Milliseconds for which a caller repeats a request that a service refused before it did any work. */
export const REPEAT_MS = 20_000;

/** The timeout in milliseconds of a test that repeats a race. */
export const RACES_MS = 300_000;
