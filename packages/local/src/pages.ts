import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('../../../services/web/build/main.ts', import.meta.url));

let building: Promise<void> | undefined;

/** Builds the pages that browsers load, where their sources have changed since; once a process. */
export function buildPages(): Promise<void> {
  building ??= build();
  return building;
}

async function build(): Promise<void> {
  await promisify(execFile)(process.execPath, [program]).catch((error) => {
    throw new Error(`the pages could not be built: ${error.stderr}`, { cause: error });
  });
}
