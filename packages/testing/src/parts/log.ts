import { createLog, type Log } from '@plataforma/observe';

export const silent: Log = createLog({ service: 'test', level: 'silent' });

/** A log whose lines are kept. */
export function keptLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { log: createLog({ service: 'test', level: 'debug', destination }), lines };
}
