import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const DAC_OVERRIDE = '+dac_override';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root: the account to run as instead, or null when we are not root. */
export async function unprivilegedAccount(dataDir: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(dataDir).catch(() => null);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([name]) => name === wanted) ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no account "postgres" or "nobody"');
}

/** A command line as the account, which may lack the right to enter the folders above its own. */
export async function commandAs(account: Account | null, command: string[], folders: string[]) {
  const [file = '', ...args] = command;
  if (!account) return { command: file, args };
  const open = await Promise.all(folders.map((folder) => isReachable(folder, account)));
  if (!open.includes(false)) return { command: file, args, account };
  // Under a closed folder, such as /root or one from mktemp, it gets that right and no other of root's.
  const drop = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  const keep = [`--inh-caps=${DAC_OVERRIDE}`, `--ambient-caps=${DAC_OVERRIDE}`];
  return { command: 'setpriv', args: [...drop, ...keep, ...command] };
}

async function isReachable(path: string, account: Account): Promise<boolean> {
  const { mode, uid } = await stat(path);
  const mayEnter = uid === account.uid ? mode & 0o100 : mode & 0o001;
  const parent = dirname(path);
  return mayEnter !== 0 && (parent === path || isReachable(parent, account));
}
