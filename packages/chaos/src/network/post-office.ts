/** Brings the provider's callbacks to the gateway; well, or badly. */
export interface PostOffice {
  /** Callbacks go there instead of to the gateway: its path is kept. */
  readonly url: string;
  /** The next so many callbacks meet this. */
  mistreat(how: Mistreatment, times: number): void;
  /** Everything that is kept back goes out, and all is well from now on. */
  heal(): void;
  /** What went through it, in order, with what became of it. */
  readonly letters: readonly Letter[];
  stop(): Promise<void>;
}

export type Mistreatment =
  | { kind: 'duplicated'; copies: number }
  /** Kept until the following ones have gone out. */
  | { kind: 'reordered' }
  /** Taken with a 200 and thrown away. */
  | { kind: 'lost' }
  | { kind: 'late'; ms: number }
  /** Goes out, and one beside it that somebody has made up: another amount, id, or secret. */
  | { kind: 'forged' };

export interface Letter {
  path: string;
  body: string;
  /** `passed` or how it was mistreated. */
  how: 'passed' | Mistreatment['kind'];
  receivedAt: number;
  /** What the gateway said to each that went out; null: nothing. */
  answers: { at: number; status: number | null }[];
}
