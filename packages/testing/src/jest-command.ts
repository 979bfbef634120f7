import { dirname, join } from 'node:path';

/**
 * Returns the environment in which the repository's tools run. The folder of the current Node is the first on
 * PATH, because the tools must not start an older Node.
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
