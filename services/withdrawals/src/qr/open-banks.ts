import { createOutbound } from '@plataforma/http';
import type { BankSettings } from './bank.ts';

const TIMEOUT_MS = 5_000;

/** The ways out to banks, until they are closed. */
export function openBanks(trusted: {
  QR_TRUSTED_HOSTS: ReadonlySet<string>;
  QR_TRUSTED_ISSUERS: ReadonlySet<string>;
}): BankSettings & { close(): Promise<unknown> } {
  const guarded = createOutbound({ allowInsecure: false });
  const unguarded = createOutbound({ allowInsecure: true });
  return {
    outbound: { guarded, unguarded },
    trustedHosts: trusted.QR_TRUSTED_HOSTS,
    trustedIssuers: trusted.QR_TRUSTED_ISSUERS,
    timeoutMs: TIMEOUT_MS,
    close: () => Promise.all([guarded.close(), unguarded.close()]),
  };
}
