/** What lies between a process and something that it calls. */
export interface Link {
  /** Such as `charges-1 → database`. */
  readonly name: string;
  readonly kind: 'database' | 'broker' | 'service' | 'provider';
  /** Where it takes connections, on loopback. */
  readonly port: number;
  /** How it treats what comes from now on, open connections included. */
  behave(how: Behaviour): void;
  stop(): Promise<void>;
}

export type Behaviour =
  | { kind: 'passes' }
  /** Each piece comes that much later, in both directions. */
  | { kind: 'delays'; ms: number }
  /** Open connections are reset, and new ones too. */
  | { kind: 'cuts' }
  /** Connections stay open, new ones are taken, and nothing passes either way. */
  | { kind: 'is silent' }
  /** What the caller says arrives; what it is answered does not. */
  | { kind: 'loses answers' }
  /** Of a database: the next COMMITs, so many, arrive and are done; their connections end before the answer. */
  | { kind: 'loses COMMIT answers'; times: number };
