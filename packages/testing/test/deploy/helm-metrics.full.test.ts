import { expect, test } from '@jest/globals';
import { ofKind, render, workloadsOf } from './helm-chart.ts';
import { sandbox } from './helm-variants.ts';

test('the PodMonitor labels metrics as alerts and dashboards expect', async () => {
  const metrics = { podMonitor: { enabled: true } };
  const manifests = await render({ ...sandbox, metrics }, { release: 'of-another-name' });
  const [monitor] = ofKind(manifests, 'PodMonitor');
  const labels = workloadsOf(manifests).map(({ template }) => template.metadata.labels);

  expect(monitor?.spec).toMatchObject({
    podMetricsEndpoints: [
      {
        honorLabels: true,
        relabelings: [
          { targetLabel: 'job', replacement: 'plataforma' },
          {
            sourceLabels: ['__meta_kubernetes_pod_label_app_kubernetes_io_component'],
            targetLabel: 'service',
          },
        ],
      },
    ],
  });
  const found = labels.map((each) => each['app.kubernetes.io/component']);
  expect(found).toEqual(
    expect.arrayContaining(['charges', 'gateway', 'ledger', 'webhooks', 'withdrawals', 'sandbox-psp']),
  );
});
