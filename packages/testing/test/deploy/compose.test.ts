import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { type Composition, hasDatabase, readComposition, repository, text } from './composition.ts';

let ours: string[];
let services: Composition['services'];
let find: Composition['find'];

beforeAll(async () => {
  ours = await readdir(join(repository, 'services'));
  ({ services, find } = await readComposition());
});

const goesOn = (name: string) => find(name).restart === 'unless-stopped';

/**
 * Returns all containers on which a container depends, directly or indirectly. Throws if the dependencies
 * form a cycle.
 */
function before(name: string, path: readonly string[] = []): string[] {
  if (path.includes(name)) throw new Error(`${[...path, name].join(' waits for ')}`);
  const direct = Object.keys(find(name).depends_on);
  return [...direct, ...direct.flatMap((other) => before(other, [...path, name]))];
}

describe('docker compose up', () => {
  test('starts every service from an image of its own', () => {
    for (const name of ours) {
      const { build, image, command } = find(name);

      expect(build?.args).toEqual({ SERVICE: name });
      expect(build?.target).toBe(['gateway', 'web'].includes(name) ? name : undefined);
      expect(image).toBe(`plataforma/${name}:local`);
      expect(command.at(-1)).toBe('main.ts');
    }
  });

  test('migrates a service’s database before it starts the service', () => {
    expect(ours.filter((name) => !hasDatabase(name))).toEqual(['web']);
    for (const name of ours.filter(hasDatabase)) {
      const [service, step] = [find(name), find(`${name}-migrate`)];

      expect({ build: step.build, image: step.image }).toEqual({
        build: service.build,
        image: service.image,
      });
      expect(step.command.at(-1)).toBe('migrate.ts');
      expect(service.depends_on[`${name}-migrate`]).toEqual({ condition: 'service_completed_successfully' });
    }
  });

  test('waits for healthy services and finished steps before the demo', () => {
    for (const [name, { depends_on, healthcheck, deploy }] of Object.entries(services)) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        const expected = goesOn(other) ? 'service_healthy' : 'service_completed_successfully';
        expect({ name, other, condition }).toEqual({ name, other, condition: expected });
      }
      if (goesOn(name)) expect({ name, healthcheck, deploy }).not.toMatchObject({ healthcheck: undefined });
      if (goesOn(name))
        expect({ name, limits: deploy?.resources.limits }).toMatchObject({
          limits: { memory: expect.any(String) },
        });
    }
    const others = Object.keys(services).filter((name) => name !== 'demo');
    expect([...new Set(before('demo'))].sort()).toEqual(others.sort());
  });

  test('publishes only gateway, `web` and RabbitMQ, on this machine only', async () => {
    const published = Object.entries(services).flatMap(([name, { ports }]) =>
      ports.map((port) => [name, port]),
    );
    const bank = z
      .object({ services: z.record(z.string(), z.object({ ports: z.array(z.string()) })) })
      .parse(parse(await text('deploy/compose/bank.yaml')));

    expect(published).toEqual([
      ['rabbitmq', `127.0.0.1:\${BROKER_PORT:-15672}:15672`],
      ['gateway', `127.0.0.1:\${PORT:-8080}:8080`],
      ['web', `127.0.0.1:\${WEB_PORT:-8081}:8080`],
    ]);
    expect(Object.keys(bank.services)).toEqual(['sandbox-psp']);
    for (const port of bank.services['sandbox-psp']?.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  test('gives no container unneeded privileges', () => {
    for (const [name, { build, cap_drop, security_opt, read_only }] of Object.entries(services)) {
      expect({ name, cap_drop, security_opt }).toEqual({
        name,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      if (build) expect({ name, read_only }).toEqual({ name, read_only: true });
    }
  });

  test('pins foreign images to versions and leaves test packages out', async () => {
    const foreign = Object.values(services).filter(({ build }) => !build);
    const stages = (await text('deploy/Dockerfile')).split(/^FROM /m);

    expect(foreign).toHaveLength(2);
    for (const { image } of foreign)
      expect(image).toMatch(/^(postgres:\d+\.\d+|rabbitmq:\d+\.\d+\.\d+)-[a-z]+$/);
    for (const target of stages.filter((each) => / AS (dependencies|sources)$/m.test(each))) {
      expect(target).toContain('rm -rf packages/local packages/testing packages/lab');
    }
  });

  test('builds the pages of `web` in a separate stage', async () => {
    const stages = (await text('deploy/Dockerfile')).split(/^FROM /m);
    const [pages, web, sources] = ['pages', 'web', 'sources'].map((name) =>
      stages.find((target) => target.split('\n')[0]?.endsWith(` AS ${name}`)),
    );

    // The build of the pages needs tsconfig.base.json, which Vite reads from the folder of the sources.
    expect(pages).toContain('COPY tsconfig.base.json LICENSE ./\n');
    expect(pages).toContain('RUN node services/web/build/main.ts');
    expect(web).toMatch(/^process AS web\nCOPY --from=pages \S+\/built services\/web\/built\n/);
    expect(sources).toContain('rm -rf services/web/pages services/web/build services/web/vite.config.ts');
    expect(stages.at(-1)).toMatch(/^process AS service$/m);
    expect((await text('.dockerignore')).split('\n')).toContain('**/built');
  });

  test('builds the docs of the gateway in a separate stage', async () => {
    const stages = (await text('deploy/Dockerfile')).split(/^FROM /m);
    const [docs, gateway] = ['docs', 'gateway'].map((name) =>
      stages.find((target) => target.split('\n')[0]?.endsWith(` AS ${name}`)),
    );

    expect(docs).toMatch(
      /^pages AS docs\nCOPY docs\/guide docs\/guide\nCOPY docs\/operate docs\/operate\nRUN node packages\/docs\/src\/main.ts\n/,
    );
    expect(gateway).toMatch(
      /^process AS gateway\nCOPY --from=docs \S+\/built\/site packages\/docs\/built\/site\n/,
    );
    expect((await text('.dockerignore')).split('\n')).toEqual(
      expect.arrayContaining(['!docs/guide', '!docs/guide/*/*.md']),
    );
  });

  test('builds with the Node and pnpm versions of npm start', async () => {
    const [dockerfile, runner] = await Promise.all([
      text('deploy/Dockerfile'),
      text('packages/local/bin/run.mjs'),
    ]);
    const [, node] = /NODE_VERSION = '(.+)'/.exec(runner) ?? [];
    const [, pnpm] = /PNPM_VERSION = '(.+)'/.exec(runner) ?? [];

    expect(dockerfile).toContain(`ARG NODE_IMAGE=node:${node}-bookworm-slim\n`);
    expect(dockerfile).toContain(`ARG PNPM_VERSION=${pnpm}\n`);
  });

  test('contains no secret', async () => {
    const file = await text('docker-compose.yml');
    const named = Object.values(services).flatMap(({ environment }) => Object.keys(environment));

    expect(named.filter((name) => /PASSWORD|SECRET|TOKEN|KEY/.test(name) && !name.endsWith('_FILE'))).toEqual(
      [],
    );
    expect(file).not.toMatch(/:\/\/[^\s/]+:[^\s/]+@/);
  });
});
