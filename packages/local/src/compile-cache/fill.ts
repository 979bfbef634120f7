import { serviceNames } from '../platform/settings-of.ts';

/** Loads all services, so that their compiled code is written to `NODE_COMPILE_CACHE` when this process ends. */
for (const name of serviceNames) {
  await import(new URL(`../../../../services/${name}/src/service.ts`, import.meta.url).href);
}
process.exit(0);
