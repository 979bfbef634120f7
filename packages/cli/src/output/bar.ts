const WIDTH = 24;

/** How much of it is done, as a bar. */
export function barOf(done: number, all: number): string {
  const share = all === 0 ? 1 : Math.min(1, Math.max(0, done / all));
  const full = Math.round(share * WIDTH);
  return `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${Math.floor(share * 100)} %`;
}
