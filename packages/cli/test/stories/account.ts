import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '@plataforma/sdk/client';
import { eventually, startFakeMerchant, startLoopback } from '@plataforma/testing';
import { commandLineOf } from '../support/command-line.ts';
import { type CliFixture, logIn } from '../support/fixture.ts';

export function testAccount(getFixture: () => CliFixture): void {
  let fixture: CliFixture;

  beforeAll(() => {
    fixture = getFixture();
  });

  const storedAccount = async (home = fixture.home) =>
    JSON.parse(await readFile(join(home, 'default.json'), 'utf8'));
  const buyer = ['--payer-name', 'Maria da Silva', '--payer-document', '12345678909'];

  /** Returns the account's API keys, read with a log-in session as in the dashboard. */
  async function keys() {
    const { baseUrl, demo } = fixture.platform.facts;
    const { email, password } = demo;
    const { accessToken } = await createClient({ baseUrl })('POST /v1/auth/login', {
      body: { email, password },
    });
    const call = createClient({ baseUrl, headers: { authorization: `Bearer ${accessToken}` } });
    return (await call('GET /v1/api-keys', { query: { limit: 100 } })).data;
  }

  describe('a log-in', () => {
    test('creates one private sandbox key for 90 days', async () => {
      const before = await storedAccount();
      const again = await logIn(fixture);
      const after = await storedAccount();

      expect(again.code).toBe(0);
      expect((await stat(join(fixture.home, 'default.json'))).mode & 0o777).toBe(0o600);
      expect(Object.keys(after).toSorted()).toEqual(['baseUrl', 'email', 'keyEndsAt', 'keyId', 'sandboxKey']);
      const all = await keys();
      const [ours, old] = [after, before].map(({ keyId }) => all.find(({ id }) => id === keyId));
      expect(ours).toMatchObject({ name: `CLI on ${hostname()}`, environment: 'sandbox' });
      const days = (Date.parse(String(ours?.expiresAt)) - Date.now()) / 86_400_000;
      expect(days).toBeCloseTo(90, 1);
      expect([typeof old?.revokedAt, ours?.revokedAt]).toEqual(['string', null]);
    });

    test('with a wrong password or a password argument stores nothing', async () => {
      const cli = commandLineOf(join(fixture.home, 'other'));
      const { baseUrl, demo } = fixture.platform.facts;
      const refused = await cli.run(['login', '--url', baseUrl, '--email', demo.email], 'wrong\n');
      const open = await cli.run(['login', '--url', baseUrl, '--password', 'secret']);
      const far = await cli.run(['login', '--url', 'http://api.example', '--email', 'a@b.test'], 'secret\n');

      expect([refused.code, open.code, far.code]).toEqual([1, 2, 2]);
      expect(refused.err).toContain('INVALID_CREDENTIALS');
      await expect(storedAccount(join(fixture.home, 'other'))).rejects.toThrow('ENOENT');
    });

    test('at the dashboard names the API’s address before a password', async () => {
      const { baseUrl, demo } = fixture.platform.facts;
      const webUrl = String(fixture.platform.facts.webUrl);
      const cli = commandLineOf(join(fixture.home, 'other'));
      const settings = { PLATAFORMA_URL: webUrl, PLATAFORMA_API_KEY: demo.sandboxKey };
      const fromScript = commandLineOf(fixture.home, settings);
      const create = ['charges', 'create', '--amount', '100', '--external-id', 'lost', ...buyer];
      const lines = [['balance'], ['logs', 'tail'], ['listen'], ['open'], create];

      const typed = await cli.run(['login', '--url', webUrl]);
      const ended = await Promise.all(lines.map((line) => fromScript.run(line)));

      for (const { code, err } of [typed, ...ended]) {
        expect(err.trim().split('\n').at(-1)).toBe(`${webUrl} é o painel, e não a API: use ${baseUrl}`);
        expect(code).toBe(2);
      }
      expect(typed.err).not.toContain('Senha');
    });

    test('does not show the password on a terminal', async () => {
      const { baseUrl, demo } = fixture.platform.facts;
      const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
      const line = `'${process.execPath}' '${program}' login --url ${baseUrl} --email ${demo.email}`;
      const home = join(fixture.home, 'terminal');
      const env = { PATH: process.env.PATH, PLATAFORMA_HOME: home };
      // The program `script` runs the command in a terminal and prints the terminal's output.
      const terminal = spawn('script', ['-qec', line, '/dev/null'], { env });
      let shown = '';
      terminal.stdout.on('data', (chunk) => {
        shown += String(chunk);
      });
      await eventually(() => expect(shown).toContain('Senha'));
      terminal.stdin.write(`${demo.password}\r`);
      await once(terminal, 'close');

      expect(shown).toContain('Pronto');
      expect(shown.includes(demo.password)).toBe(false);
      expect(await storedAccount(home)).toMatchObject({ baseUrl });
    });

    test('ends with a log-out', async () => {
      const home = join(fixture.home, 'leaving');
      const cli = commandLineOf(home);
      await logIn({ ...fixture, cli });

      expect(await cli.run(['logout'])).toMatchObject({ code: 0 });

      expect(await cli.run(['balance'])).toMatchObject({ code: 2, err: 'entre antes: plataforma login\n' });
    });
  });

  describe('a resource', () => {
    test('is created, read, listed and paid, with sandbox warnings', async () => {
      const create = [
        'charges',
        'create',
        '--amount',
        '2500',
        '--external-id',
        '1001',
        '--metadata.shop',
        'a',
      ];
      const wrong = ['--payer-name', 'Maria da Silva', '--payer-document', '12345678901'];
      const created = await fixture.cli.run([...create, ...wrong, '--json']);
      const charge = JSON.parse(created.out);
      const shown = await fixture.cli.run(['charges', 'get', charge.id]);
      await fixture.cli.run(['charges', 'simulate-payment', charge.id]);
      const listed = await fixture.cli.run(['charges', 'list', '--status', 'PAID']);
      const refund = ['charges', 'refund', charge.id, '--amount', '2500', '--lang', 'en'];
      const poor = await fixture.cli.run(refund);

      expect(created.err).toContain('Aviso do sandbox: payerDocument');
      expect(charge).toMatchObject({ amount: 2500, externalId: '1001', metadata: { shop: 'a' } });
      expect(shown.out).toMatch(/amount +R\$ 25,00/);
      expect(listed.out).toMatch(new RegExp(`^id +status.*\n${charge.id} +PAID +R\\$ 25,00 +PIX +1001`));
      expect(poor).toMatchObject({ code: 1, out: '' });
      expect(poor.err).toMatch(/Refused: INSUFFICIENT_BALANCE: .*\nrequest \S+\n/);
      expect((await fixture.cli.run(['balance'])).out).toContain('withdrawableBalance  R$ 24,75');
    });

    test('is exported with all of its rows', async () => {
      for (const order of ['a', 'b', 'c'])
        await fixture.cli.run(['charges', 'create', '--amount', '100', '--external-id', order, ...buyer]);
      const file = join(fixture.home, 'charges.csv');

      const saved = await fixture.cli.run(['export', 'charges', '-o', file]);
      const statement = await fixture.cli.run([
        'export',
        'statement',
        '--locale',
        'pt-BR',
        '--format',
        'csv',
      ]);
      const year = ['--from', '2026-01-01', '--to', '2026-12-31'];
      const bank = await fixture.cli.run(['export', 'statement', '--format', 'ofx', ...year]);

      const { meta } = await fixture.plataforma.charges.list().page();
      expect(saved).toMatchObject({ code: 0, out: '' });
      expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(1 + meta.total);
      expect(statement).toMatchObject({ code: 0, out: expect.stringContaining(';') });
      expect(bank).toMatchObject({ code: 0, out: expect.stringContaining('OFXHEADER') });
    });

    test('of production requires --live, its key and a yes', async () => {
      const { baseUrl, demo } = fixture.platform.facts;
      const line = [
        'charges',
        'create',
        '--amount',
        '100',
        '--external-id',
        'real',
        ...buyer,
        '--live',
        '--json',
      ];
      const given = await fixture.cli.run(['login', '--url', baseUrl, '--key'], `${demo.liveKey}\n`);
      const no = await fixture.cli.run(line, 'não\n');
      const silent = await fixture.cli.run(line);
      const yes = await fixture.cli.run(line, 'sim\n');

      expect([given.code, no.code, silent.code, yes.code]).toEqual([0, 2, 2, 0]);
      expect(no.err).toContain(`PRODUÇÃO, ${baseUrl}\nPOST /v1/charges`);
      expect(JSON.parse(yes.out)).toMatchObject({ environment: 'production' });
      expect((await fixture.cli.run(['charges', 'list', '--live', '--json'])).out).toContain('"total":1');
      expect(JSON.parse((await fixture.cli.run(['charges', 'list', '--json'])).out).data[0].environment).toBe(
        'sandbox',
      );
    });
  });

  test('a webhook is tested and its failed delivery listed', async () => {
    const shop = await startFakeMerchant();
    shop.answer(() => ({ status: 410 }));
    const made = await fixture.cli.run([
      'webhooks',
      'create',
      '--url',
      shop.url,
      '--events',
      'charge.paid,charge.expired',
      '--json',
    ]);
    const { id } = JSON.parse(made.out);
    const tested = await fixture.cli.run(['webhooks', 'test', id, '--event', 'charge.paid', '--json']);
    await shop.waitFor(({ headers }) => headers['x-webhook-test'] === 'true');
    await fixture.cli.run(['webhooks', 'update', id, '--is-active', 'false']);

    const failed = await fixture.cli.run([
      'webhooks',
      'deliveries',
      '--failed',
      '--webhook-id',
      id,
      '--json',
    ]);

    expect(JSON.parse(tested.out)).toMatchObject({ webhookId: id });
    expect(JSON.parse(failed.out).data).toMatchObject([{ id: JSON.parse(tested.out).id, status: 'FAILED' }]);
    await shop.stop();
  });

  test('`open` prints dashboard pages, `mcp` the missing server’s download', async () => {
    const dashboard = 'http://pages.example';
    const api = await startLoopback(async (_request, response) => {
      response.writeHead(302, { location: dashboard }).end();
    });
    const settings = { PLATAFORMA_URL: api.url, PLATAFORMA_API_KEY: 'sk_sandbox_any', BROWSER: 'true' };
    const cli = commandLineOf(fixture.home, settings);

    const opened = async (...what: string[]) => (await cli.run(['open', ...what])).out.trim();

    expect(await opened()).toBe(`${dashboard}/test`);
    expect(await opened('keys')).toBe(`${dashboard}/test/developers/keys`);
    expect(await opened('charge', 'abc', '--live')).toBe(`${dashboard}/charges/abc`);
    const mcp = await cli.run(['mcp']);
    expect(mcp).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${dashboard}/downloads/plataforma-mcp-`),
    });
    await api.stop();
  });

  test('`open` starts no program for an invalid address', async () => {
    const [browser, started] = [join(fixture.home, 'browser'), join(fixture.home, 'started')];
    await writeFile(browser, `#!/bin/sh\necho "$@" >>'${started}'\n`, { mode: 0o755 });
    const locations = ['file:///etc/passwd', '--version', 'javascript:alert(1)', 'http:', '//pages.example'];
    let location = '';
    const api = await startLoopback(async (_request, response) => {
      response.writeHead(302, { location }).end();
    });
    const settings = { PLATAFORMA_URL: api.url, PLATAFORMA_API_KEY: 'sk_sandbox_any', BROWSER: browser };
    const cli = commandLineOf(fixture.home, settings);

    for (location of locations) {
      const { code, out, err } = await cli.run(['open']);
      expect([code, out, err]).toEqual([2, '', expect.stringContaining(api.url)]);
    }
    location = 'https://pages.example/';
    await cli.run(['open']);

    await eventually(async () =>
      expect(await readFile(started, 'utf8')).toBe('https://pages.example/test\n'),
    );
    await api.stop();
  });

  test('`mcp` starts the installed server with an environment key', async () => {
    const folder = join(fixture.home, 'bin');
    await mkdir(folder);
    const script = '#!/bin/sh\necho "$@ $PLATAFORMA_URL"; test "$PLATAFORMA_API_KEY" && exit 7\n';
    await writeFile(join(folder, 'plataforma-mcp'), script, { mode: 0o755 });
    const cli = commandLineOf(fixture.home, { PATH: `${folder}:${process.env.PATH}` });

    const { code, out } = await cli.run(['mcp', '--write']);

    expect([code, out]).toEqual([7, `--write ${fixture.platform.facts.baseUrl}\n`]);
  });
}
