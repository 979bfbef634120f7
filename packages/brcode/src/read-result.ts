const MESSAGES = {
  TOO_LONG: 'The code has more than 512 characters.',
  FORBIDDEN_CHARACTER: 'The code holds a character that cannot be printed.',
  WRONG_CHECKSUM: 'This is no BR Code, or it is damaged: the checksum does not fit.',
  MALFORMED: 'The code is not laid out as a BR Code.',
  DUPLICATE_TAG: 'The code carries the same field twice.',
  WRONG_CURRENCY: 'The code does not ask for Brazilian reais in Brazil.',
  INVALID_MERCHANT: 'The name must have 1 to 25 characters and the city 1 to 15.',
  NOT_PIX: 'The code has no Pix account template.',
  NO_DESTINATION: 'The code carries neither a Pix key nor a URL.',
  AMBIGUOUS: 'The code carries more than one destination.',
  INVALID_URL: 'The URL in the code is not host/path over HTTPS.',
  INVALID_AMOUNT: 'The amount in the code is not a decimal number of reais.',
  INVALID_TXID: 'The transaction id in the code has more than 25 characters.',
  INVALID_SAQUE: 'The Pix Saque facilitator in the code is not an ISPB of 8 characters.',
} as const;

/** The complete list of reasons for which a code cannot be read. */
export type UnreadableReason = keyof typeof MESSAGES;

/**
 * A tolerated fault. `URL_SCHEME`: the reader dropped an `https://` inside 26-25 or 80-25. `TXID_CHARACTERS`:
 * the txid of a static code has other characters than letters and digits.
 */
export type ReadWarning = 'URL_SCHEME' | 'TXID_CHARACTERS';

interface CodeBase {
  /** Tag 59, at most 25 characters, trimmed. Trust the name in the DICT instead (MPI 2.10.0, footnote 26). */
  merchantName: string;
  /** Tag 60, at most 15 characters, trimmed. */
  merchantCity: string;
  warnings: readonly ReadWarning[];
}

/** A code that names a Pix key. */
export interface StaticCode extends CodeBase {
  kind: 'static';
  /** The value of tag 26-01 as the code has it, neither normalised nor checked against a key type. */
  pixKey: string;
  /** Tag 26-02: a text from the receiver to the payer. */
  info?: string;
  /** Tag 26-03: the ISPB that makes the code a Pix Saque (cash out) instead of a purchase. */
  saqueIspb?: string;
  recurrenceUrl?: string;
  /** Integer cents. Null when the code has no amount or zero, so the payer enters the amount. */
  amount: number | null;
  /** Tag 62-05. Null when the code has no txid, or when its txid is `***`. */
  txid: string | null;
}

/**
 * A code without the charge's amount and txid. They are in the payload at `url`, which the caller must fetch
 * (MPI 2.10.0 §2.7).
 */
export interface DynamicCode extends CodeBase {
  kind: 'dynamic';
  /**
   * `host[:port]/path` without scheme; HTTPS is implied. The code's author chooses the host, so the caller
   * must restrict which hosts it requests.
   */
  url: string;
  /**
   * The address of a Pix Automático payload, in the same form as `url`. Present if the code offers a
   * recurrence beside the charge (MPI 2.10.0 §2.8.5.1).
   */
  recurrenceUrl?: string;
  amount: null;
  txid: null;
}

/** A code that only offers a Pix Automático recurrence. */
export interface RecurrenceCode extends CodeBase {
  kind: 'recurrence';
  /**
   * `host[:port]/path` without scheme; HTTPS is implied. The code's author chooses the host, so the caller
   * must restrict which hosts it requests.
   */
  recurrenceUrl: string;
  amount: null;
  txid: null;
}

export type BrCode = StaticCode | DynamicCode | RecurrenceCode;

export type ReadResult =
  | { ok: true; code: BrCode }
  | { ok: false; reason: UnreadableReason; message: string };

export function unreadable(reason: UnreadableReason): ReadResult {
  return { ok: false, reason, message: MESSAGES[reason] };
}
