import type { Core } from '@plataforma/service';
import type { Claimed } from '@plataforma/work';
import type { SandboxPspConfig } from './config.ts';
import { createPayloadSigner } from './http/payload-signer.ts';
import { deliverCallback } from './operations/deliver-callback.ts';
import { openReceivers } from './receivers/receivers.ts';
import type { DueCallback } from './store/callbacks.ts';
import { loadSigningKey } from './store/signing-key.ts';
import type { Tuning } from './tuning.ts';

export type SandboxPspDependencies = Core<SandboxPspConfig> & Awaited<ReturnType<typeof buildDependencies>>;

export async function buildDependencies(core: Core<SandboxPspConfig>, { callbackPollMs, ...tuning }: Tuning) {
  const { config, log, database, retry, onStop } = core;
  const { CLIENTS: clients } = config;
  const signer = await createPayloadSigner(await retry(() => loadSigningKey(database)));
  const receivers = openReceivers();
  onStop('dependencies', receivers.close);
  return {
    ...{ ...tuning, clients, signer, pollMs: callbackPollMs },
    deliver: (callback: Claimed<DueCallback>) =>
      deliverCallback(callback, { database, clients, receivers, log }),
    breakOff: receivers.close,
  };
}
