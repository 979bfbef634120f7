import { afterEach, beforeEach, expect } from '@jest/globals';
import { startTraces } from '@plataforma/observe';
import { type CollectedSpan, eventually, type FakeCollector, startFakeCollector } from '../index.ts';
import { serving } from './web.ts';

interface Tracing {
  readonly collector: FakeCollector;
  /** Exports what this process does; `flush` ends it and answers what came. */
  exporting(settings?: Record<string, string>): Promise<{ flush(): Promise<CollectedSpan[]> }>;
  served: typeof serving;
  spanNamed(name: string): CollectedSpan | undefined;
  /** Ends something with the test. */
  atTheEnd(close: () => unknown): void;
}

/** The trace that a caller has begun. */
export const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** For so long a stop waits for the last export. */
const LAST_EXPORT_MS = 1_000;

/** A collector for each test of a file, and a process that exports to it when it is told to. */
export function tracing(): Tracing {
  const closing: (() => unknown)[] = [];
  let collector: FakeCollector;

  beforeEach(async () => {
    collector = await startFakeCollector();
    closing.push(collector.stop);
  });

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
  });

  return {
    get collector() {
      return collector;
    },
    async exporting(settings = {}) {
      // The SDK reads its own settings there and nowhere else.
      Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...settings });
      const traces = await startTraces('traced', { LOG_LEVEL: 'silent', ...process.env });
      closing.push(traces.stop);
      return {
        async flush() {
          const begunAt = performance.now();
          await traces.stop();
          // A busy machine may not have sent them in the second that a stop waits; they come all the same.
          if (performance.now() - begunAt >= LAST_EXPORT_MS)
            await eventually(() => expect(collector.bodies).not.toEqual([]));
          return collector.spans;
        },
      };
    },
    async served(...args) {
      const server = await serving(...args);
      closing.push(server.stop);
      return server;
    },
    spanNamed: (name) => collector.spans.find((span) => span.name === name),
    atTheEnd: (close) => void closing.push(close),
  };
}
