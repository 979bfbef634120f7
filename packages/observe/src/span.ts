export type Attributes = Record<string, string | number | boolean>;

export interface SpanStart {
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** One of a few names, without an id, a path or a value that a caller chose. */
  name: string;
  /** The `traceparent` of the cause. Without a valid one the step begins a trace. */
  parent: string | null | undefined;
  /** The `traceparent`s of other related steps. */
  links?: readonly string[];
  /** The start in milliseconds of the epoch; now when absent. */
  startedAt?: number;
  /** No ids of resources, query, header or body, because readers of traces may not see these. */
  attributes?: Attributes;
}

export interface SpanEnd {
  name?: string;
  attributes?: Attributes;
  /** The kind of the error, never its message. */
  failure?: string | undefined;
}

export interface Span {
  /** Names this step for the parts that continue the trace. */
  readonly traceparent: string;
  /** Ends the step. A step that never ends is not exported. */
  end(end?: SpanEnd): void;
}

export interface Recorder {
  begin(start: SpanStart): Span;
  /** Sends the waiting spans, within a short timeout. */
  stop(): Promise<void>;
}
