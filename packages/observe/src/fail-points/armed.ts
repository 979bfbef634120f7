import { appendFileSync, readFileSync, rmSync, statSync } from 'node:fs';
import { z } from 'zod';

const blows = {
  kill: { signal: 'SIGKILL', kind: 'killed' },
  stop: { signal: 'SIGSTOP', kind: 'stopped' },
} as const;
const order = z.object({ points: z.array(z.string()), action: z.enum(['kill', 'stop']) });

/** The order in the file that `FAIL_POINTS_FILE` names: to act once, at the first of these points. */
interface Armed extends z.infer<typeof order> {
  /** Tells one writing of the file from the next. */
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

/** Ends or stops this very process here, and not a step later, when the file says so. */
function pass(name: string): void {
  if (file === undefined) return;
  if (!passed.has(name)) mark(file, 'reached', name);
  passed.add(name);
  armed = readAgain(file, armed);
  if (!armed?.points.includes(name)) return;
  // The next process would meet it, too.
  rmSync(file, { force: true });
  // Last of all, as whoever waits for this goes on when it is there; to remove a file may take a busy disk seconds.
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

/** Undefined: it was removed just now. What is in it is whole: it is moved there. */
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

/** At the true time: the clock of the process may be wrong on purpose. */
function mark(path: string, kind: string, name: string): void {
  const at = Math.round(performance.timeOrigin + performance.now());
  appendFileSync(`${path}.log`, `${JSON.stringify({ at, kind, name })}\n`);
}
