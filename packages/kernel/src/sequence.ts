/** Returns the changed record with the next sequence number, which the event of this change carries. */
export function withNextSequence<Numbered extends { sequence: number }>(changed: Numbered): Numbered {
  return { ...changed, sequence: changed.sequence + 1 };
}
