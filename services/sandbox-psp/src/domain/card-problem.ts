/** The kinds of refusal. `unfit`: a valid request that the state of the charge forbids. */
export type CardProblemKind =
  | 'unread'
  | 'unauthorized'
  | 'missing'
  | 'unfit'
  | 'invalid'
  | 'internal'
  | 'unavailable';

export type FieldErrors = Record<string, string[]>;

/** An expected refusal of the card API. */
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
