import { fileURLToPath } from 'node:url';

/**
 * The folder of the built site, which the gateway serves under `/docs`. The folder does not exist before
 * `src/main.ts` has built the site.
 */
export const SITE = fileURLToPath(new URL('../built/site', import.meta.url));
