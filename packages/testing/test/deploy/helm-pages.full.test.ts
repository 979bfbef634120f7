import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { scratchFolders } from '../../src/scratch.ts';
import { ofKind, render, type Values, workloadsOf } from './helm-chart.ts';
import { newSecrets } from './helm-settings.ts';
import { ownServers, pages } from './helm-variants.ts';

const scratchDir = scratchFolders();

describe('the pages of the chart', () => {
  const settingsOf = async (name: string, values: Values) => {
    const maps = ofKind(await render(values), 'ConfigMap');
    return maps.find(({ metadata }) => metadata.name === `plataforma-${name}`)?.data;
  };

  test('are served at their hosts, which gateway and charges receive', async () => {
    const { dashboard, checkout } = pages.pages;

    expect(await settingsOf('web', pages)).toMatchObject({
      GATEWAY_URL: 'http://plataforma-gateway:8080',
      PUBLIC_URL: `https://${dashboard.host}`,
      PAGES: 'dashboard,checkout',
      DASHBOARD_HOST: dashboard.host,
      CHECKOUT_HOST: checkout.host,
    });
    expect(await settingsOf('gateway', pages)).toMatchObject({ WEB_URL: `https://${dashboard.host}` });
    const alone = { ...pages, pages: { checkout } };
    expect(await settingsOf('web', alone)).toMatchObject({
      PUBLIC_URL: `https://${checkout.host}`,
      PAGES: 'checkout',
    });
    expect(await settingsOf('gateway', alone)).not.toHaveProperty('WEB_URL');
    expect((await settingsOf('charges', alone))?.PUBLIC_CHECKOUT_URL).toBe(`https://${checkout.host}`);
  });

  test('include the previous release’s files when its image is set', async () => {
    const previousImage = 'registry.example/plataforma/web:0.1.0';
    const values = { ...pages, services: { web: { enabled: true, previousImage } } };
    const named = z.object({ initContainers: z.array(z.looseObject({ image: z.string() })).default([]) });
    const initOf = async (each: Values) => {
      const web = workloadsOf(await render(each)).find(({ name }) => name === 'plataforma-web');
      return named.parse(web?.template.spec).initContainers.map(({ image }) => image);
    };

    expect(await initOf(values)).toEqual([previousImage]);
    expect(await settingsOf('web', values)).toMatchObject({ PREVIOUS_PAGES: '/tmp/previous' });
    expect(await initOf(pages)).toEqual([]);
    expect(await settingsOf('web', pages)).not.toHaveProperty('PREVIOUS_PAGES');
  });

  test('receive the public URL of an API with an ingress', async () => {
    const ingress = { enabled: true, host: 'api.plataforma.example' };
    const named = { services: { web: { enabled: true, config: { PUBLIC_API_URL: 'https://b.example' } } } };

    expect(await settingsOf('web', { ...pages, ingress })).toMatchObject({
      PUBLIC_API_URL: 'https://api.plataforma.example',
    });
    expect(await settingsOf('web', pages)).not.toHaveProperty('PUBLIC_API_URL');
    expect((await settingsOf('web', { ...pages, ...named, ingress }))?.PUBLIC_API_URL).toBe(
      'https://b.example',
    );
  });

  test('require an ingress or a public URL', async () => {
    const web = (config: object) => ({ services: { web: { enabled: true, config } } });

    await expect(render(web({}))).rejects.toThrow('services.web needs a way in');
    expect(await settingsOf('web', web({ PUBLIC_URL: 'https://a.example' }))).toMatchObject({
      PUBLIC_URL: 'https://a.example',
    });
  });

  test('have no database, database role or migration', async () => {
    const secrets = await newSecrets(scratchDir());
    const made = ofKind(await render({ ...ownServers, ...pages }), 'Cluster', 'Job', 'NetworkPolicy');

    expect(Object.keys(secrets['plataforma-web'] ?? {}).sort()).toEqual([
      'AMQP_URL',
      'EVENT_KEYS',
      'SEALING_KEYS',
    ]);
    expect(Object.keys(secrets)).not.toContain('plataforma-web-role');
    const names = made.map(({ metadata }) => metadata.name);
    expect(names.filter((name) => /-web(-|$)/.test(name))).toEqual(['plataforma-web']);
  });
});
