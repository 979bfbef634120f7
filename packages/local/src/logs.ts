import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LogTail {
  name: string;
  lines: string[];
}

/** RabbitMQ has two folders, because its console output and its log are in different folders. */
const SERVERS = ['postgres', 'rabbitmq', join('rabbitmq', 'log')];

/** Returns the last lines of each log of the platform's services and servers. Empty logs are left out. */
export function logTails(dataDir: string, count: number): LogTail[] {
  const services = namesIn(join(dataDir, 'services')).map((name) => join('services', name));
  return [...services, ...SERVERS]
    .map((dir) => join(dataDir, dir))
    .flatMap((dir) =>
      namesIn(dir)
        .filter((name) => name.endsWith('.log'))
        .map((name) => ({ name: name.slice(0, -'.log'.length), lines: lastLinesOf(join(dir, name), count) })),
    )
    .filter(({ lines }) => lines.length > 0);
}

/** Returns the last lines of a file, or an empty list if the file is missing. */
export function lastLinesOf(file: string, count: number): string[] {
  const text = read(file).trimEnd();
  return text === '' ? [] : text.split('\n').slice(-count);
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir).sort();
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
