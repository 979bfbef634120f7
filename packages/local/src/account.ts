import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const DAC_OVERRIDE = '+dac_override';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the account that runs PostgreSQL, because PostgreSQL refuses to run as root. Returns null if this
 * process is not root. Throws if the machine has no suitable account.
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
 * Returns a command line that runs `command` as the account. The command can enter `folders` even if the
 * account has no permission to enter them.
 */
export async function commandAs(
  account: Account | null,
  command: string[],
  folders: string[],
): Promise<CommandLine> {
  const [file = '', ...args] = command;
  if (!account) return { command: file, args };
  if ((await closedTo(account, folders)).length === 0) return { command: file, args, account };
  // The account can't reach a folder below /root or below a private temporary folder. The command therefore
  // keeps one capability of root, which bypasses file permissions.
  const drop = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  const capabilities = [`--inh-caps=${DAC_OVERRIDE}`, `--ambient-caps=${DAC_OVERRIDE}`];
  // PostgreSQL finds its programs with the system call access(2). That call ignores the capability
  // `DAC_OVERRIDE` unless this bit is set.
  const counted = '--securebits=+no_setuid_fixup';
  return { command: 'setpriv', args: [counted, ...drop, ...capabilities, ...command] };
}

/** Returns the given folders and their parents that the account has no permission to enter. */
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
