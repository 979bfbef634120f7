import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { z } from 'zod';
import { insideEnvironment } from '../../src/chaos/inside/environment.ts';

const HOUR_MS = 3_600_000;
const TOLERANCE_MS = 60_000;
const script = fileURLToPath(new URL('./support/reporting-process.ts', import.meta.url));
const clockReport = z.object({
  now: z.number(),
  constructed: z.number(),
  called: z.number(),
  copied: z.string(),
  measured: z.number(),
  isDate: z.boolean(),
});
let dir: string;
let clockFile: string;
let child: ChildProcess;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'plataforma-clock-'));
  clockFile = join(dir, 'clock');
  const inside = insideEnvironment({ failPointsFile: join(dir, 'fail-points'), clockFile });
  const env = { PATH: process.env.PATH ?? '', ...inside };
  child = spawn(process.execPath, [script], { env, stdio: ['pipe', 'pipe', 'inherit'] });
});

afterEach(() => {
  child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

async function ask() {
  child.stdin?.write('what time is it\n');
  if (!child.stdout) throw new Error('the clock has no output');
  const [text] = await once(child.stdout, 'data');
  return clockReport.parse(JSON.parse(String(text)));
}

function isAbout(actual: number, expected: number): boolean {
  return Math.abs(actual - expected) < TOLERANCE_MS;
}

describe('the clock of a process', () => {
  test('is right without a clock file', async () => {
    const { now, constructed, called } = await ask();

    for (const time of [now, constructed, called]) expect(isAbout(time, Date.now())).toBe(true);
  });

  test('differs by its file’s offset for every way of reading', async () => {
    await ask();

    writeFileSync(clockFile, String(HOUR_MS));
    const ahead = await eventually(async () => {
      const said = await ask();
      expect(isAbout(said.now, Date.now() + HOUR_MS)).toBe(true);
      return said;
    });
    writeFileSync(clockFile, String(-HOUR_MS));
    await eventually(async () => expect(isAbout((await ask()).now, Date.now() - HOUR_MS)).toBe(true));
    rmSync(clockFile);
    await eventually(async () => expect(isAbout((await ask()).now, Date.now())).toBe(true));

    expect(isAbout(ahead.constructed, ahead.now)).toBe(true);
    expect(isAbout(ahead.called, ahead.now)).toBe(true);
    expect(isAbout(ahead.measured, ahead.now - HOUR_MS)).toBe(true);
    expect(ahead).toMatchObject({ copied: '2020-01-02T03:04:05.678Z', isDate: true });
  });
});
