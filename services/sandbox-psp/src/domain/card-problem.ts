/** `unfit`: well-formed, of a charge that can't take it now. */
export type CardProblemKind =
  | 'unread'
  | 'unauthorized'
  | 'missing'
  | 'unfit'
  | 'invalid'
  | 'internal'
  | 'unavailable';

/** What is wrong with which field. */
export type FieldErrors = Record<string, string[]>;

/** An expected "no" of the card API. */
export class CardProblem extends Error {
  readonly kind: CardProblemKind;
  readonly errors: FieldErrors | undefined;

  constructor(kind: CardProblemKind, message: string, errors?: FieldErrors) {
    super(message);
    this.name = 'CardProblem';
    this.kind = kind;
    this.errors = errors;
  }
}
