/** Something that does not agree with what it should follow from. */
export interface Difference {
  what: string;
  /** As it stands: cents or a hash; null when it does not stand anywhere. */
  recorded: number | string | null;
  /** As the entries have it. */
  computed: number | string | null;
}
