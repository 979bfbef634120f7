import { describe, expect, test } from '@jest/globals';
import { chart, documentsOf, helm } from './helm-chart.ts';
import { problemsOf } from './helm-schemas.ts';
import { bothWaysIn, ownServers, pages, sandbox, variants } from './helm-variants.ts';

const template = ['template', 'plataforma', chart, '--namespace', 'pay', '--values', '-'];

describe('the manifests of the chart', () => {
  test.each(Object.entries(variants))('fit the schemas of Kubernetes: %s', async (_name, values) => {
    const manifests = documentsOf(await helm(template, values));

    expect(manifests.flatMap(problemsOf)).toEqual([]);
    expect(manifests.length).toBeGreaterThan(20);
  });

  test('fit the schemas of Kubernetes in an upgrade', async () => {
    const text = await helm([...template, '--is-upgrade'], variants['with everything at once']);

    expect(documentsOf(text).flatMap(problemsOf)).toEqual([]);
  });

  test('fail the schemas when a field or value is wrong', async () => {
    const text = await helm(template, variants['with everything at once']);
    const wrong: [RegExp, string, string][] = [
      [/maxSurge: 1/, 'maxSurges: 1', 'Deployment.spec.strategy.rollingUpdate.maxSurges: no such field'],
      [/key: AMQP_URL|key: SERVICE_KEY/, 'field: x', 'Deployment: '],
      [/drop: \[ALL\]/, 'dropped: [ALL]', 'securityContext.capabilities.dropped: no such field'],
      [/backoffLimit: 30/, 'backoffLimit: many', 'Job: '],
      [
        /matchLabelKeys:/,
        'matchingLabelKeys:',
        'topologySpreadConstraints.0.matchingLabelKeys: no such field',
      ],
      [/bootstrap:/, 'bootstraps:', 'Cluster.spec.bootstraps: no such field'],
      [/queueName: /, 'queue: 5 # ', 'ScaledObject: '],
      [/pollingInterval:/, 'pollInterval:', 'ScaledObject.spec.pollInterval: no such field'],
      [/secretTargetRef:/, 'secretRef:', 'TriggerAuthentication.spec.secretRef: no such field'],
      [/persistence:/, 'persistent:', 'RabbitmqCluster: '],
      [/podMetricsEndpoints:/, 'endpoints:', 'PodMonitor: '],
      [/except:/, 'excepted:', 'ipBlock.excepted: no such field'],
      [/pathType: Prefix/, 'pathTyp: Prefix', 'Ingress: '],
      [/averageUtilization:/, 'utilization:', 'HorizontalPodAutoscaler'],
      [
        /unhealthyPodEvictionPolicy/,
        'unhealthyPods',
        'PodDisruptionBudget.spec.unhealthyPods: no such field',
      ],
    ];

    for (const [right, instead, problem] of wrong) {
      expect(text).toMatch(right);
      const problems = documentsOf(text.replace(right, instead)).flatMap(problemsOf);
      expect(problems).toContainEqual(expect.stringContaining(problem));
    }
  });

  test('pass helm lint in strict mode', async () => {
    expect(await helm(['lint', '--strict', chart, '--values', '-'])).toContain('0 chart(s) failed');
  });
});

describe('wrong values of the chart', () => {
  test.each([
    [{ replicas: 3 }, "additional properties 'replicas' not allowed"],
    [{ services: { gateway: { replica: 3 } } }, "'/services/gateway/replica'"],
    [{ services: { gateway: { queueScaling: { enabled: true } } } }, "'/services/gateway/queueScaling'"],
    [{ services: { web: { databasePoolSize: 5 } } }, "'/services/web/databasePoolSize'"],
    [{ services: { webhook: {} } }, "additional properties 'webhook' not allowed"],
    [{ services: { ledger: { config: { PORT: 80 } } } }, "additional properties 'PORT' not allowed"],
    [{ services: { ledger: { image: { digest: 'sha256:short' } } } }, "'/services/ledger"],
    [{ services: { ledger: { resources: { limits: null } } } }, "'/services/ledger"],
    [{ drainMs: 60_000 }, 'maximum: got 60,000, want 7,000'],
    [{ startDeadlineMs: 120_000 }, 'maximum: got 120,000, want 100,000'],
    [{ rabbitmq: { operator: { replicas: 2 } } }, "'/rabbitmq/operator/replicas'"],
    [{ networkPolicy: { gatewayFrom: [{}] } }, "'/networkPolicy/gatewayFrom/0'"],
    [{ providers: { pix: { production: { enabled: true } } } }, 'providers.pix.production.url is missing'],
    [
      { providers: { card: { production: { enabled: true, url: 'https://cards.example' } } } },
      'providers.card.production.tokenizeUrl is missing',
    ],
    [
      { postgresql: {}, rabbitmq: {} },
      'set postgresql.external.peers (or databasePeers of charges, gateway, ledger, webhooks, withdrawals) and rabbitmq.external.peers, for example',
    ],
    [
      { postgresql: {}, services: { ledger: { databasePeers: [{ ipBlock: { cidr: '10.0.0.5/32' } }] } } },
      'set postgresql.external.peers (or databasePeers of charges, gateway, webhooks, withdrawals), for example',
    ],
    [
      { ...ownServers, rabbitmq: {} },
      'networkPolicy.enabled needs to know where the servers are: set rabbitmq',
    ],
  ])('are refused: %j', async (values, reason) => {
    await expect(helm(template, values)).rejects.toThrow(reason);
  });
});

test('global server peers are optional without policies or with service peers', async () => {
  const databasePeers = [{ ipBlock: { cidr: '10.0.0.5/32' } }];
  const services = ['gateway', 'charges', 'withdrawals', 'ledger', 'webhooks'].map((name) => [
    name,
    { databasePeers },
  ]);

  for (const values of [
    { postgresql: {}, rabbitmq: {}, networkPolicy: { enabled: false } },
    { postgresql: {}, services: Object.fromEntries(services) },
  ])
    expect(await helm(template, values)).toContain('kind: Deployment');
});

describe('the notes after an installation', () => {
  const notes = async (values: object) =>
    (await helm(['install', 'plataforma', chart, '--dry-run=client', '--values', '-'], { ...values })).split(
      'NOTES:',
    )[1];

  test('warn of missing recommended settings', async () => {
    const { ingress } = bothWaysIn;
    const postgresql = { cnpg: { enabled: true } };

    expect(await notes({})).not.toContain('WARNING');
    expect(await notes({ ingress })).toContain('TRUSTED_PROXIES is empty');
    expect(await notes(pages)).not.toContain('WARNING');
    expect(await notes({ ...pages, services: { web: { enabled: true } } })).toContain(
      'TRUSTED_PROXIES of services.web',
    );
    expect(await notes({ postgresql })).toContain('postgresql.cnpg has neither backup nor plugins');
    expect(await notes({ ...sandbox, networkPolicy: { enabled: false } })).toContain('control listener');
  });

  test('name the environments in which no money moves', async () => {
    expect(await notes(sandbox)).toContain('card.production, payout.production, pix.production.');
  });
});
