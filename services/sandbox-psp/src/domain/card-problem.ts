/**
 * The kinds of refusal. `unfit` means that the request is valid, but the state of the charge forbids the
 * operation.
 */
export type CardProblemKind =
  | 'unread'
  | 'unauthorized'
  | 'missing'
  | 'unfit'
  | 'invalid'
  | 'internal'
  | 'unavailable';

export type FieldErrors = Record<string, string[]>;

/** A request that the card API refuses for an expected reason, in contrast to a failure of this provider. */
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
