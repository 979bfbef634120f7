/**
 * Walks every sequence of choices, depth first. Each run repeats the sequence of the previous run up to the
 * choice that changes.
 */
export class Choices {
  readonly #taken: number[] = [];
  readonly #widths: number[] = [];
  #position = 0;

  /** Returns this run's choice, a number from 0 to `width` - 1. */
  pick(width: number): number {
    if (width === 1) return 0;
    const at = this.#position++;
    const taken = this.#taken[at];
    if (taken !== undefined) return taken;
    this.#taken.push(0);
    this.#widths.push(width);
    return 0;
  }

  /** Moves to the next sequence. Returns false when all sequences have been walked. */
  toNext(): boolean {
    this.#position = 0;
    while (this.#taken.length > 0) {
      const last = this.#taken.length - 1;
      const next = (this.#taken[last] ?? 0) + 1;
      if (next < (this.#widths[last] ?? 0)) {
        this.#taken[last] = next;
        return true;
      }
      this.#taken.pop();
      this.#widths.pop();
    }
    return false;
  }

  /** Returns the sequence of choices of the run that has just ended. */
  get sequence(): readonly number[] {
    return [...this.#taken];
  }
}

/** Returns a source of choices that repeats the given sequence. */
export function replayOf(sequence: readonly number[]): Pick<Choices, 'pick'> {
  let position = 0;
  return { pick: (width) => (width === 1 ? 0 : (sequence[position++] ?? 0)) };
}
