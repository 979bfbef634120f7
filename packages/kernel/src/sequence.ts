/** Returns the record with its next sequence number, for the event of this change. */
export function withNextSequence<Numbered extends { sequence: number }>(changed: Numbered): Numbered {
  return { ...changed, sequence: changed.sequence + 1 };
}
