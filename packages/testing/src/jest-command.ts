import { dirname, join } from 'node:path';

/**
 * Returns the environment for a checkout's tools. This process's node comes first on PATH, because their
 * launchers must not find an older one.
 */
export function toolEnvironment(root: string): NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), join(root, 'node_modules/.bin'), process.env.PATH].join(':');
  return { ...process.env, PATH: path };
}

export function jestCommand(root: string, args: readonly string[]) {
  return {
    command: process.execPath,
    args: [join(root, 'node_modules/jest/bin/jest.js'), ...args],
    env: toolEnvironment(root),
  };
}
