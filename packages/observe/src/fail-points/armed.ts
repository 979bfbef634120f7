import { appendFileSync, readFileSync, rmSync, statSync } from 'node:fs';
import { z } from 'zod';

const blows = {
  kill: { signal: 'SIGKILL', kind: 'killed' },
  stop: { signal: 'SIGSTOP', kind: 'stopped' },
} as const;
const order = z.object({ points: z.array(z.string()), action: z.enum(['kill', 'stop']) });

/**
 * The content of the file in `FAIL_POINTS_FILE`. The process does `action` once, at the first of `points`
 * that it reaches.
 */
interface Armed extends z.infer<typeof order> {
  /** The inode and modification time of the file. They change when a new file replaces the old one. */
  version: string;
}

const { FAIL_POINTS_FILE: file } = process.env;
const passed = new Set<string>();
let armed: Armed | undefined;

export function failPointsOf<const Points extends Readonly<Record<string, string>>>(points: Points) {
  return Object.assign((name: keyof Points & string) => pass(name), { points });
}

export function situationsOf<const Situations extends readonly string[]>(situations: Situations) {
  const markSituation = (name: Situations[number]) => {
    if (file !== undefined) mark(file, 'sometimes', name);
  };
  return Object.assign(markSituation, { situations });
}

/**
 * Kills or suspends this process at the named point, if the file requires it. Reads the file synchronously,
 * so that the process does not continue past the point.
 */
function pass(name: string): void {
  if (file === undefined) return;
  if (!passed.has(name)) mark(file, 'reached', name);
  passed.add(name);
  armed = readAgain(file, armed);
  if (!armed?.points.includes(name)) return;
  // Remove the file, because otherwise the file would also kill or suspend the next process that reaches the
  // point.
  rmSync(file, { force: true });
  // Write the log line after the file is removed, because the test continues when it reads this line. On a
  // busy disk the removal may take seconds.
  const { signal, kind } = blows[armed.action];
  mark(file, kind, name);
  process.kill(process.pid, signal);
}

function readAgain(path: string, previous: Armed | undefined): Armed | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stat) return undefined;
  const version = `${stat.ino} ${stat.mtimeNs}`;
  return previous?.version === version ? previous : read(path, version);
}

/**
 * Reads the file. Returns undefined if a different process has just removed it. The content is always
 * complete, because the test writes a temporary file and renames it.
 */
function read(path: string, version: string): Armed | undefined {
  const text = textIn(path);
  return text === undefined ? undefined : { ...order.parse(JSON.parse(text)), version };
}

function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Appends a log line for the test. Its time comes from `performance`, because a test may replace the clock of
 * `Date`.
 */
function mark(path: string, kind: string, name: string): void {
  const at = Math.round(performance.timeOrigin + performance.now());
  appendFileSync(`${path}.log`, `${JSON.stringify({ at, kind, name })}\n`);
}
