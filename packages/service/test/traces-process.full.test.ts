import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { eventually, startFakeCollector } from '@plataforma/testing';
import { closingAfterEach } from '@plataforma/testing/fixtures';

const script = fileURLToPath(new URL('./support/traced-process.ts', import.meta.url));
const atTheEnd = closingAfterEach();

async function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [script], {
    env: {
      PATH: process.env.PATH ?? '',
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: 'postgres://db/x',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  atTheEnd(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  child.stdout.on('data', (chunk) => lines.push(String(chunk)));
  const errors: string[] = [];
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  const ended = once(child, 'close');
  const url = await eventually(() => {
    const said = /http:\S+/.exec(errors.join(''))?.[0];
    if (said) return said;
    throw new Error(`not started: ${errors.join('')}`);
  });
  return {
    url,
    log: () => lines.join(''),
    async stop(): Promise<number | null> {
      child.kill('SIGTERM');
      const [code] = await ended;
      return code;
    },
  };
}

describe('a process', () => {
  test('loads no OpenTelemetry without an endpoint for traces', async () => {
    const { url, stop } = await start({ OTEL_SERVICE_NAME: 'nobody', OTEL_TRACES_SAMPLER: 'always_on' });

    expect(await (await fetch(`${url}/loaded`)).json()).toEqual([]);
    expect(await stop()).toBe(0);
  });

  test('sends waiting traces before it stops', async () => {
    const collector = await startFakeCollector();
    atTheEnd(collector.stop);
    const { url, stop } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });

    expect(await (await fetch(`${url}/loaded`)).json()).not.toEqual([]);
    expect(await stop()).toBe(0);

    expect(collector.spans).toMatchObject([
      { name: 'GET /loaded', service: 'traced', resource: { 'service.namespace': 'plataforma' } },
    ]);
  });

  test('answers and stops normally while its collector hangs', async () => {
    const collector = await startFakeCollector();
    atTheEnd(collector.stop);
    collector.hang();
    const { url, stop } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });

    for (let batch = 0; batch < 15; batch += 1) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => fetch(`${url}/none`)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
      await Promise.all(answers.map((answer) => answer.text()));
    }
    await eventually(() => expect(collector.headers.length).toBeGreaterThan(0));

    expect(await stop()).toBe(0);
  });

  test('logs an unreachable collector once and stops normally', async () => {
    const { url, log, stop } = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=canary',
    });

    await fetch(`${url}/none`);
    await eventually(() => expect(log()).toContain('traces lost'));
    await fetch(`${url}/none`);

    expect(await stop()).toBe(0);
    expect(log().match(/traces lost/g)).toHaveLength(1);
    expect(log()).not.toContain('canary');
  });
});
