import { fileURLToPath } from 'node:url';

/** The folder of this service, and where its built pages are. */
export const WEB = fileURLToPath(new URL('..', import.meta.url));
export const BUILT = fileURLToPath(new URL('../built', import.meta.url));
