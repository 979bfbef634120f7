/** How often a service under test looks for what is due: no test waits long for it, and no core is busy with it. */
export const TICK_MS = 100;

/** How long a caller repeats what was refused before anything was done. */
export const REPEAT_MS = 20_000;

/** The timeout of a test that repeats a race. */
export const RACES_MS = 300_000;
