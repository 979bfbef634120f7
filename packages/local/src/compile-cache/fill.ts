import { serviceNames } from '../platform/settings-of.ts';

/**
 * Loads all programs, so that Node writes their compiled code to `NODE_COMPILE_CACHE` when this process ends.
 */
for (const name of [...serviceNames, 'web']) {
  await import(new URL(`../../../../services/${name}/src/service.ts`, import.meta.url).href);
}
// The gateway loads these on the first request for them.
for (const name of ['document', 'collection']) {
  await import(new URL(`../../../api-docs/src/${name}.ts`, import.meta.url).href);
}
process.exit(0);
