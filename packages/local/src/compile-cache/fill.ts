import { serviceNames } from '../platform/settings-of.ts';

/**
 * Loads the code of all services, because Node writes the compiled code to `NODE_COMPILE_CACHE` when this
 * process ends.
 */
for (const name of [...serviceNames, 'web']) {
  await import(new URL(`../../../../services/${name}/src/service.ts`, import.meta.url).href);
}
// Load these modules too. The gateway loads them only at the first request for the API's documents, not at
// its start.
for (const name of ['document', 'collection']) {
  await import(new URL(`../../../api-docs/src/${name}.ts`, import.meta.url).href);
}
process.exit(0);
