/** The poll interval of a service under test: short for tests, but long enough to keep the processor free. */
export const TICK_MS = 100;

/** The time for which a caller repeats requests that a service refused before it did anything. */
export const REPEAT_MS = 20_000;

/** The timeout of a test that repeats a race. */
export const RACES_MS = 300_000;
