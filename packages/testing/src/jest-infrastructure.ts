import { rm } from 'node:fs/promises';
import type { beginInfrastructure } from '@plataforma/local';

interface Kept {
  readonly platform: { stop(): Promise<void> };
  readonly servers: Awaited<ReturnType<typeof beginInfrastructure>>;
  readonly dataDir: string;
}

let kept: Kept | undefined;

/** Hands the servers of a test run from jest's global setup to its teardown. */
export function keep(value: Kept): void {
  kept = value;
}

export async function giveUp(): Promise<void> {
  await globalThis.stopSharedWorld?.();
  try {
    await kept?.platform.stop().finally(() => kept?.servers.discard());
  } finally {
    if (kept) await rm(kept.dataDir, { recursive: true, force: true });
    kept = undefined;
  }
}
