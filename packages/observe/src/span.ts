export type Attributes = Record<string, string | number | boolean>;

export interface SpanStart {
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** The name of the step. It is one of a few names and contains no id, path or value from a caller. */
  name: string;
  /**
   * The `traceparent` of the step that caused this step. If it is missing or invalid, this step begins a new
   * trace.
   */
  parent: string | null | undefined;
  /** The `traceparent`s of related steps that are not the parent. */
  links?: readonly string[];
  /** The start time in milliseconds since the Unix epoch. The current time if absent. */
  startedAt?: number;
  /**
   * The attributes of the step. They must not contain ids of resources, queries, headers or bodies, because
   * people without access to these can read traces.
   */
  attributes?: Attributes;
}

export interface SpanEnd {
  name?: string;
  attributes?: Attributes;
  /** A short name of the error, never its message. Absent if the step succeeded. */
  failure?: string | undefined;
}

export interface Span {
  /** The `traceparent` of this step. Later steps use it as their parent. */
  readonly traceparent: string;
  /** Ends the step and exports it. A step that does not end is never exported. */
  end(end?: SpanEnd): void;
}

export interface Recorder {
  begin(start: SpanStart): Span;
  /** Exports the spans that are still in the queue, within a short timeout. */
  stop(): Promise<void>;
}
