import { spawn } from 'node:child_process';

const MOST_SHOWN = 4_000;

export interface ToolOptions {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** Ends the program after this time; its processes end with it. */
  timeoutMs?: number;
}

/** Runs a program and answers its output; throws with the end of the output when it fails. */
export function runTool(
  command: string,
  args: readonly string[],
  { cwd, env, timeoutMs = 900_000 }: ToolOptions = {},
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const options = { cwd, env: { ...process.env, ...env }, timeout: timeoutMs } as const;
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  child.on('error', reject);
  child.on('close', (code, signal) => {
    if (code === 0) resolve(output);
    else reject(new Error(`${command} ended with ${signal ?? code}:\n${output.slice(-MOST_SHOWN)}`));
  });
  return promise;
}
