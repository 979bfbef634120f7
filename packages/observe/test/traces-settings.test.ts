import { describe, expect, test } from '@jest/globals';
import { CALLER, send, tracing } from '@plataforma/testing/fixtures';
import { currentContext, startTraces } from '../src/index.ts';

const world = tracing();

describe('the export of a trace', () => {
  const unsampled = CALLER.replace(/01$/, '00');

  test.each([
    ['follows the caller', {}, [CALLER], 1],
    ['follows a caller without sampling', {}, [unsampled], 0],
    ['samples only the caller’s trace', { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, ['', CALLER], 1],
    ['ignores the caller if configured', { OTEL_TRACES_SAMPLER: 'always_on' }, [unsampled, ''], 2],
    [
      'follows the ratio of trace ids if configured',
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' },
      [CALLER],
      0,
    ],
  ])('%s', async (_what, settings, received, count) => {
    const { flush } = await world.exporting(settings);
    const server = await world.served((app) => app.get('/', (_req, res) => void res.json(currentContext())));

    const flags = await Promise.all(
      received.map(async (traceparent) => {
        const { text } = await send(server.url, { headers: traceparent ? { traceparent } : {} });
        return JSON.parse(text).traceparent.slice(-2);
      }),
    );

    await server.stop();
    expect(await flush()).toHaveLength(count);
    expect(flags.filter((flag) => flag === '01')).toHaveLength(count);
  });

  test.each([
    ['exports no unsampled trace', { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, CALLER, 0],
    ['exports a sampled trace', {}, unsampled, 1],
  ])('ignores an outside caller: it %s', async (_what, settings, traceparent, count) => {
    const { flush } = await world.exporting(settings);
    const server = await world.served(() => undefined, { beginsTraces: true });

    await send(server.url, { headers: { traceparent } });
    await server.stop();

    expect(await flush()).toHaveLength(count);
  });
});

describe('the exporter', () => {
  test('sends the resource attributes and the configured headers', async () => {
    const { flush } = await world.exporting({
      OTEL_SERVICE_NAME: 'charges-blue',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=maria',
    });
    const server = await world.served(() => undefined);

    await send(server.url, {});
    await server.stop();

    expect(await flush()).toMatchObject([
      {
        service: 'charges-blue',
        resource: { 'service.version': expect.any(String), 'deployment.environment.name': 'staging' },
      },
    ]);
    expect(world.collector.headers).toMatchObject([{ 'x-tenant': 'maria' }]);
  });

  test('rejects wrong settings by name', async () => {
    const wrong = startTraces('traced', {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'canary',
      OTEL_TRACES_SAMPLER: 'canary',
      OTEL_TRACES_SAMPLER_ARG: '2',
    });

    await expect(wrong).rejects.toThrow(/ENDPOINT: .*\n.*SAMPLER: .*\n.*SAMPLER_ARG: /);
    await expect(wrong).rejects.not.toThrow('canary');
  });
});
