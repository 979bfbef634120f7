import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const DAC_OVERRIDE = '+dac_override';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the account that runs PostgreSQL, because PostgreSQL refuses to run as root; null if this process
 * is not root. Throws if the machine has no suitable account.
 */
export async function unprivilegedAccount(dataDir: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(dataDir).catch(() => null);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const accountName of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([name]) => name === accountName) ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no account "postgres" or "nobody"');
}

export interface CommandLine {
  readonly command: string;
  readonly args: string[];
  readonly account?: Account;
}

/**
 * Returns the command line that runs a command as the account, even if the account may not enter the folders.
 */
export async function commandAs(
  account: Account | null,
  command: string[],
  folders: string[],
): Promise<CommandLine> {
  const [file = '', ...args] = command;
  if (!account) return { command: file, args };
  if ((await closedTo(account, folders)).length === 0) return { command: file, args, account };
  // In a closed folder, such as /root or one from mktemp, the command keeps only root's capability to bypass
  // file permissions.
  const drop = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  const capabilities = [`--inh-caps=${DAC_OVERRIDE}`, `--ambient-caps=${DAC_OVERRIDE}`];
  // Without this bit access(2) ignores the capability, and PostgreSQL finds its programs by access(2).
  const counted = '--securebits=+no_setuid_fixup';
  return { command: 'setpriv', args: [counted, ...drop, ...capabilities, ...command] };
}

/** Returns those of the folders and their parents that the account may not enter. */
export async function closedTo(account: Account, folders: string[]): Promise<string[]> {
  const all = new Set(folders.flatMap(withParents));
  const checked = await Promise.all(
    [...all].map(async (path) => ({ path, isOpen: await mayEnter(account, path) })),
  );
  return checked.flatMap(({ path, isOpen }) => (isOpen ? [] : [path])).sort();
}

function withParents(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}

async function mayEnter(account: Account, path: string): Promise<boolean> {
  const { mode, uid, gid } = await stat(path);
  const mask = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  return (mode & mask) !== 0;
}
