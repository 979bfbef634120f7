import { fileURLToPath } from 'node:url';

/** The folder of the site as it is served under `/docs`; it is there once `src/main.ts` has built it. */
export const SITE = fileURLToPath(new URL('../built/site', import.meta.url));
