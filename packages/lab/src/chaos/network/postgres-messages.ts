export interface Message {
  /** A letter; empty for what a client says first, which has none. */
  type: string;
  body: Buffer;
}

/**
 * Reads PostgreSQL's protocol (version 3, without TLS) as it comes, in pieces cut anywhere: `onMessage` hears each
 * message once its last byte is there. Only what a client says begins without a type.
 */
export function readMessages(
  { startsUntyped }: { startsUntyped: boolean },
  onMessage: (message: Message) => void,
): (piece: Buffer) => void {
  let isUntyped = startsUntyped;
  let rest: Buffer = Buffer.alloc(0);
  return (piece) => {
    rest = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    for (;;) {
      const typeLength = isUntyped ? 0 : 1;
      const headerLength = typeLength + 4;
      if (rest.length < headerLength) return;
      // The length counts itself, but not the type.
      const length = typeLength + rest.readInt32BE(typeLength);
      if (rest.length < length) return;
      const type = rest.toString('latin1', 0, typeLength);
      const body = rest.subarray(headerLength, length);
      rest = rest.subarray(length);
      isUntyped = false;
      onMessage({ type, body });
    }
  };
}

/** A simple query that ends a transaction well. */
export function isCommit({ type, body }: Message): boolean {
  return type === 'Q' && body.toString('latin1') === 'COMMIT\0';
}

/** What a server says once a COMMIT is done, or has failed. */
export function endsCommit({ type, body }: Message): boolean {
  return type === 'E' || (type === 'C' && /^(COMMIT|ROLLBACK)\0$/.test(body.toString('latin1')));
}
