import { appendFileSync, readFileSync, rmSync, statSync } from 'node:fs';
import { z } from 'zod';

const blows = {
  kill: { signal: 'SIGKILL', kind: 'killed' },
  stop: { signal: 'SIGSTOP', kind: 'stopped' },
} as const;
const order = z.object({ points: z.array(z.string()), action: z.enum(['kill', 'stop']) });

/**
 * The content of the file in `FAIL_POINTS_FILE`: the action for the first of these points, to be done once.
 */
interface Armed extends z.infer<typeof order> {
  /** Identifies one version of the file. */
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

/** Kills or stops this process at this point, and not a step later, if the file requires it. */
function pass(name: string): void {
  if (file === undefined) return;
  if (!passed.has(name)) mark(file, 'reached', name);
  passed.add(name);
  armed = readAgain(file, armed);
  if (!armed?.points.includes(name)) return;
  // Remove the file, because otherwise the next process would be stopped as well.
  rmSync(file, { force: true });
  // Mark last, because the test continues at this mark, and a busy disk may take seconds to remove a file.
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
 * Returns undefined when the file was just removed. The content is never partial, because the file is moved
 * into place.
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

/** Uses the true time, because a test may set the clock of the process wrong. */
function mark(path: string, kind: string, name: string): void {
  const at = Math.round(performance.timeOrigin + performance.now());
  appendFileSync(`${path}.log`, `${JSON.stringify({ at, kind, name })}\n`);
}
