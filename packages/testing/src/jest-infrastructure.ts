import { rm } from 'node:fs/promises';
import type { beginInfrastructure } from '@plataforma/local';

interface RunInfrastructure {
  readonly platform: { stop(): Promise<void> };
  readonly servers: Awaited<ReturnType<typeof beginInfrastructure>>;
  readonly dataDir: string;
}

let infrastructure: RunInfrastructure | undefined;

/**
 * Stores the servers of a test run, so that jest's global teardown can stop the servers that the global setup
 * started.
 */
export function setInfrastructure(value: RunInfrastructure): void {
  infrastructure = value;
}

export async function stopInfrastructure(): Promise<void> {
  await globalThis.stopSharedWorld?.();
  try {
    await infrastructure?.platform.stop().finally(() => infrastructure?.servers.discard());
  } finally {
    if (infrastructure) await rm(infrastructure.dataDir, { recursive: true, force: true });
    infrastructure = undefined;
  }
}
