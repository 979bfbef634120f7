import { dirname, join } from 'node:path';

/** For the tools of a checkout: their launchers look for node on the PATH, and must not find an older one first. */
export function toolEnvironment(root: string): NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), join(root, 'node_modules/.bin'), process.env.PATH].join(':');
  return { ...process.env, PATH: path };
}

/** How jest is run in a checkout. */
export function jestCommand(root: string, args: readonly string[]) {
  return {
    command: process.execPath,
    args: [join(root, 'node_modules/jest/bin/jest.js'), ...args],
    env: toolEnvironment(root),
  };
}
