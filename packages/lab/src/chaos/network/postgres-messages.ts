export interface Message {
  /**
   * The type of the message, which is one letter. It is empty for a client's first message, which has no
   * type.
   */
  type: string;
  body: Buffer;
}

/**
 * Returns a function that reads PostgreSQL's protocol (version 3, without TLS) in pieces of any size. It
 * calls `onMessage` with each complete message. A client's first message has no type.
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
      // The length in a message includes its own four bytes but not the type.
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

export function isCommit({ type, body }: Message): boolean {
  return type === 'Q' && body.toString('latin1') === 'COMMIT\0';
}

/** Returns whether the message reports the success or the failure of a COMMIT. */
export function endsCommit({ type, body }: Message): boolean {
  return type === 'E' || (type === 'C' && /^(COMMIT|ROLLBACK)\0$/.test(body.toString('latin1')));
}
