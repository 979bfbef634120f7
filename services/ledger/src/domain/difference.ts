/** Something that does not agree with what it should follow from. */
export interface Difference {
  what: string;
  /** As it stands: cents, a hash, a time or an id; null when it does not stand anywhere. */
  recorded: number | string | null;
  /** As the entries have it. */
  computed: number | string | null;
}
