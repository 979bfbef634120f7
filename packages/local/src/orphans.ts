import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 10_000;

/**
 * Stops the process whose pid an earlier start left in this folder. The process's command line or environment
 * must mention the folder, because the pid may belong to an unrelated process now. Throws if the process that
 * performed the earlier start still runs.
 */
export async function stopOrphan(dir: string, name: string, signal: NodeJS.Signals): Promise<void> {
  const pidFile = join(dir, `${name}.pid`);
  const [pid, owner] = (await readFile(pidFile, 'utf8').catch(() => '')).split(/\s+/).map(Number);
  if (pid && (await mentions(pid, dir))) {
    if ((await parentOf(pid)) === owner) {
      throw new Error(`${dir} is in use by process ${owner}. Stop it first, or choose another DATA_DIR.`);
    }
    await end(pid, { dir, signal });
  }
  await rm(pidFile, { force: true });
}

async function end(pid: number, { dir, signal }: { dir: string; signal: NodeJS.Signals }) {
  const deadline = Date.now() + TIMEOUT_MS;
  send(pid, signal);
  while (await mentions(pid, dir)) {
    if (Date.now() > deadline) send(pid, 'SIGKILL');
    await sleep(20);
  }
}

function send(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal);
  } catch {
    // The process ended before it received the signal.
  }
}

async function mentions(pid: number, dir: string) {
  const facts = await Promise.all(
    ['cmdline', 'environ'].map((fact) => readFile(`/proc/${pid}/${fact}`, 'utf8').catch(() => '')),
  );
  return facts
    .join('\0')
    .split('\0')
    .some((part) => part.includes(`${dir}/`));
}

// Returns the pid of the parent. The parent is the process that started `pid`, unless that process has ended.
async function parentOf(pid: number) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
}
