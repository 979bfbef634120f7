import {
  type AlarmPartQuery,
  type AlarmQuery,
  type AlarmService,
  type AlarmView,
  alarmServices,
} from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';

export interface AlarmPart {
  total: number;
  /** Newest first. */
  alarms: AlarmView[];
}

/** The newest alarms of a service; null: it did not answer. */
export type AskAlarms = (service: AlarmService, query: AlarmPartQuery) => Promise<AlarmPart | null>;

/** As many as are asked for from each service: enough for any page of the newest. */
const MOST = 10_000;

/** One page of the alarms of all services, newest first. Refused when one does not answer: its alarms would be missing. */
export async function listAlarms(
  ask: AskAlarms,
  { page, limit, ...filters }: AlarmQuery,
): Promise<AlarmPart> {
  const newest = Math.min(page * limit, MOST);
  const parts = await Promise.all(
    alarmServices.map(async (service) => {
      const part = await ask(service, { ...filters, newest });
      if (part) return part;
      throw new Refusal(
        'unavailable',
        'SERVICE_UNAVAILABLE',
        `there was no answer from ${service}; try again`,
      );
    }),
  );
  const alarms = parts.flatMap((part) => part.alarms).toSorted(newestFirst);
  return {
    total: parts.reduce((sum, part) => sum + part.total, 0),
    alarms: alarms.slice((page - 1) * limit, page * limit),
  };
}

function newestFirst(one: AlarmView, other: AlarmView): number {
  const [left, right] = [`${one.raisedAt} ${one.id}`, `${other.raisedAt} ${other.id}`];
  return left < right ? 1 : left > right ? -1 : 0;
}
