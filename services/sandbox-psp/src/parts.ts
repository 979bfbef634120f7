import type { Core } from '@plataforma/service';
import type { Claimed } from '@plataforma/work';
import type { SandboxPspConfig } from './config.ts';
import { createPayloadSigner } from './http/payload-signer.ts';
import { deliverCallback } from './operations/deliver-callback.ts';
import { openReceivers } from './receivers/receivers.ts';
import type { DueCallback } from './store/callbacks.ts';
import { loadSigningKey } from './store/signing-key.ts';
import type { Tuning } from './tuning.ts';

export type SandboxPspParts = Core<SandboxPspConfig> & Awaited<ReturnType<typeof buildParts>>;

/** What the bank's entrances work with. */
export async function buildParts(core: Core<SandboxPspConfig>, { callbackPollMs, slowMs }: Tuning) {
  const { config, log, database, retry, onStop } = core;
  const { CLIENTS: clients } = config;
  const signer = await createPayloadSigner(await retry(() => loadSigningKey(database)));
  const receivers = openReceivers();
  onStop('parts', receivers.close);
  return {
    ...{ clients, signer, slowMs, pollMs: callbackPollMs },
    deliver: (callback: Claimed<DueCallback>) =>
      deliverCallback(callback, { database, clients, receivers, log }),
    breakOff: receivers.close,
  };
}
