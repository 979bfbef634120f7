export type Attributes = Record<string, string | number | boolean>;

/** One step of a trace, before it is known how it ends. */
export interface SpanStart {
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** One of a few: never with an id, a path or anything that a caller chose. */
  name: string;
  /** The `traceparent` of what caused it; without a valid one a trace begins with it. */
  parent: string | null | undefined;
  /** The `traceparent`s of what it has to do with besides. */
  links?: readonly string[];
  /** In milliseconds of the epoch, when that is not now. */
  startedAt?: number;
  /** No ids of resources, no query, no header, no body: traces are read by people who may not see those. */
  attributes?: Attributes;
}

export interface SpanEnd {
  name?: string;
  attributes?: Attributes;
  /** The kind of the error, never its message. */
  failure?: string | undefined;
}

export interface Span {
  /** For whoever continues the trace: it names this step. */
  readonly traceparent: string;
  /** Never called, it is as if the step had not been. */
  end(end?: SpanEnd): void;
}

/** Where spans go, once traces are exported. */
export interface Recorder {
  begin(start: SpanStart): Span;
  /** Sends what waits, but not for long. */
  stop(): Promise<void>;
}
