import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openPlatform } from '../bench/platform.ts';
import { checks } from './checks.ts';
import { lockFolder } from './lock-folder.ts';
import { stopped } from './run-tool.ts';
import { toolboxIn } from './toolbox.ts';

const CACHE = resolve(import.meta.dirname, '../../../../.local/release-check');

const names = process.argv.slice(2);
const chosen = Object.entries(checks).filter(
  ([name]) => names.length === 0 || names.some((part) => name.includes(part)),
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopped.abort());
process.exitCode = await main();

/** Runs the chosen tools one after the other. All of them use one platform, which runs on this machine. */
async function main(): Promise<number> {
  if (chosen.length === 0) {
    console.error(`No tool has this name. The tools: ${Object.keys(checks).join(', ')}`);
    return 2;
  }
  const unlock = await lockFolder(CACHE);
  if (!unlock) {
    console.error(`Another run uses ${CACHE}: wait until it ends, or stop it.`);
    return 1;
  }
  const folder = join(CACHE, 'generated');
  await mkdir(folder, { recursive: true });
  const opened = await openPlatform();
  let failed = 0;
  try {
    const { baseUrl, demo } = opened.platform.facts;
    const document = join(folder, 'openapi.json');
    await writeFile(document, await fetch(`${baseUrl}/openapi.json`).then((answer) => answer.text()));
    const around = { toolbox: toolboxIn(CACHE), baseUrl, apiKey: demo.sandboxKey, document, folder };
    for (const [name, check] of chosen) {
      if (stopped.signal.aborted) break;
      const startedAt = Date.now();
      const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
      try {
        const said = await check(around);
        console.log(`${name}: passed, ${seconds()}. ${said.trim()}`);
      } catch (error) {
        failed += 1;
        console.log(`${name}: failed, ${seconds()}. ${error instanceof Error ? error.message : error}`);
      }
    }
  } finally {
    await opened.stop();
    unlock();
  }
  if (stopped.signal.aborted) {
    console.error('The run was stopped.');
    return 1;
  }
  console.log(`${chosen.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
