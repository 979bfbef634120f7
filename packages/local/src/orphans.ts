import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 10_000;

/**
 * Stops the process that an earlier start left in this folder. Its command line or environment must mention
 * the folder, because an unrelated process may have the pid now. Throws if the process that started it still
 * runs.
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
    // The process has ended meanwhile.
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

// A process has its starter as its parent for as long as the starter lives.
async function parentOf(pid: number) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
}
