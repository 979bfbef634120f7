import { types } from 'node:util';
import { DatabaseError } from 'pg';
import pino, { type DestinationStream, type Logger } from 'pino';
import { currentContext, traceIdOf } from './context.ts';
import { mask, secretFields } from './mask.ts';

export type Log = Logger;

interface LogOptions {
  service: string;
  level: string;
  /** The stream that receives the log lines. Standard output if absent. */
  destination?: DestinationStream;
}

/**
 * Creates a logger that writes JSON lines with the ids of the current request and trace. It masks secrets and
 * personal data in each line before it writes the line.
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
 * Returns the fields of an error for the log. Omits PostgreSQL's `detail` and `where`, because they may
 * contain whole rows with personal data.
 */
function describeError(error: unknown): unknown {
  if (error instanceof DatabaseError) {
    const { code, constraint, table, stack } = error;
    return { type: 'DatabaseError', message: error.message, code, constraint, table, stack };
  }
  return types.isNativeError(error) ? pino.stdSerializers.err(error) : error;
}
