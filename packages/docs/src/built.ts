import { fileURLToPath } from 'node:url';

/** The folder of the site under `/docs`. It exists once `src/main.ts` has built it. */
export const SITE = fileURLToPath(new URL('../built/site', import.meta.url));
