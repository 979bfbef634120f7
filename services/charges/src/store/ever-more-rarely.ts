import type { Doubling } from '@plataforma/work';

/** Of what a provider must still do: it is due again a second after its first claim, at last every ten minutes. */
export const EVER_MORE_RARELY: Doubling = { kind: 'doubling', firstMs: 1_000, longestMs: 600_000 };
