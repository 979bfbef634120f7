import { types } from 'node:util';
import { DatabaseError } from 'pg';
import pino, { type DestinationStream, type Logger } from 'pino';
import { currentContext, traceIdOf } from './context.ts';
import { mask, secretFields } from './mask.ts';

export type Log = Logger;

interface LogOptions {
  service: string;
  level: string;
  /** The output of the lines; standard output when absent. */
  destination?: DestinationStream;
}

/**
 * Creates a log of JSON lines, each with its request and trace. Masks every line by field names and shapes
 * before writing.
 */
export function createLog({ service, level, destination }: LogOptions): Log {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: () => {
      const context = currentContext();
      return context ? { requestId: context.requestId, traceId: traceIdOf(context.traceparent) } : {};
    },
    redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '***' },
    serializers: { err: describeError },
    hooks: { streamWrite: mask },
  };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * Keeps only the fields without personal data, because PostgreSQL puts whole rows into `detail` and `where`.
 */
function describeError(error: unknown): unknown {
  if (error instanceof DatabaseError) {
    const { code, constraint, table, stack } = error;
    return { type: 'DatabaseError', message: error.message, code, constraint, table, stack };
  }
  return types.isNativeError(error) ? pino.stdSerializers.err(error) : error;
}
