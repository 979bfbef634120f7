/** The full tier, too long for every change: only a run of everything has these. */
export const LONG_TEST = /\.full\.test\.ts$/;
