import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The headless shell is preferred, because it needs less than half of the processor time for a page. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/**
 * Returns the path in the variable `CHROMIUM`, or else the path of a Chromium on PATH; null if neither is a
 * program.
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return (env.CHROMIUM ? [env.CHROMIUM] : onPath).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
