import { z } from 'zod';

/**
 * The OpenTelemetry variables that the platform itself reads. OpenTelemetry's exporter reads further
 * variables.
 */
export const tracesSettings = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  LOG_LEVEL: z.string().default('info'),
});

export type TracesSettings = z.infer<typeof tracesSettings>;
