import { alarmPart } from '@plataforma/contracts';
import type { z } from 'zod';
import type { Client } from './client.ts';
import { gateway, headerWith } from './identity.ts';

export async function readAlarms(client: Client, more = ''): Promise<z.infer<typeof alarmPart>> {
  const headers = headerWith(gateway.sign({ kind: 'service' }, 'charges'));
  const { data } = await client.send(`/internal/alarms?newest=100${more}`, { method: 'GET', headers });
  return alarmPart.parse(data);
}

export async function alarmsAbout(client: Client, subjectId: string) {
  return (await readAlarms(client)).alarms.filter((alarm) => alarm.subjectId === subjectId);
}
