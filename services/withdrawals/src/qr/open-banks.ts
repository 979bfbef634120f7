import { createOutbound } from '@plataforma/http';
import { addressList } from '@plataforma/kernel/addresses';
import type { BankSettings } from './bank.ts';

const TIMEOUT_MS = 5_000;

export function openBanks(trusted: {
  QR_TRUSTED_HOSTS: ReadonlySet<string>;
  QR_TRUSTED_ISSUERS: ReadonlySet<string>;
  PRIVATE_ADDRESSES: readonly string[];
}): BankSettings & { close(): Promise<unknown> } {
  const guarded = createOutbound({
    allowInsecure: false,
    isOwnAddress: addressList(trusted.PRIVATE_ADDRESSES),
  });
  const unguarded = createOutbound({ allowInsecure: true });
  return {
    outbound: { guarded, unguarded },
    trustedHosts: trusted.QR_TRUSTED_HOSTS,
    trustedIssuers: trusted.QR_TRUSTED_ISSUERS,
    timeoutMs: TIMEOUT_MS,
    close: () => Promise.all([guarded.close(), unguarded.close()]),
  };
}
