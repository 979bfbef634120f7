/** Texts that `pnpm lint` leaves as they are, with the reason; at most ten. */
export const exceptions: readonly { path: string; text: string; reason: string }[] = [];
