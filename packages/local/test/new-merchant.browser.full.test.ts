import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { claimVhost } from '@plataforma/testing';
import { startBrowser, type Visit, visit } from '@plataforma/testing/browser';
import { closingAfterEach } from '@plataforma/testing/fixtures';
import { eventually } from '../src/index.ts';
import { freePort } from '../src/ports.ts';
import { npmStart } from './support/npm-start.ts';

const run = promisify(execFile);
const LIMIT_MS = 180_000;
const START = { timeoutMs: 120_000 };
const COMPANY = {
  'Nome da empresa': 'Padaria da Rosa',
  CNPJ: '01838723000127',
  'Telefone com DDD': '11987654321',
  'E-mail': 'rosa@padaria.test',
  Senha: 'uma senha comprida',
};

const atTheEnd = closingAfterEach();

/** Returns functions that use a page only through its visible texts, as a reader does. */
function readerOf({ page }: Visit) {
  const dialog = page.getByRole('dialog');
  const named = (where: typeof dialog | typeof page, name: string) =>
    where.getByRole('button', { name, exact: true }).or(where.getByRole('link', { name, exact: true }));
  return {
    press: (name: string) => named(page, name).first().click(),
    pressInDialog: (name: string) => named(dialog, name).first().click(),
    fill: (fields: object) =>
      Object.entries(fields).reduce(
        (before, [label, text]) =>
          before.then(() => page.getByLabel(label, { exact: true }).last().fill(text)),
        Promise.resolve(),
      ),
    sees: (text: string) => page.getByText(text, { exact: true }).first().waitFor(),
    seesRow: (text: string) => page.locator('tbody').getByText(text, { exact: true }).first().waitFor(),
    copies: async (part: string) => (await page.locator('pre', { hasText: part }).textContent()) ?? '',
    async keepsSecret() {
      await dialog.getByLabel('Já guardei em lugar seguro').check();
      await dialog.getByRole('button', { name: 'Concluir' }).click();
    },
  };
}

const shell = { NODE_OPTIONS: '', PATH: `${dirname(process.execPath)}:${process.env.PATH}` };

/**
 * Returns functions that run command lines in a folder. Commands of `keepRunning` run until the end of the
 * test.
 */
function terminalIn(cwd: string, settings: Record<string, string>) {
  const env = { ...process.env, ...shell, ...settings };
  return {
    run: (line: string) => run('sh', ['-c', line], { cwd, env }),
    keepRunning(line: string) {
      const child: ChildProcess = spawn('sh', ['-c', `exec env ${line}`], { cwd, env });
      atTheEnd(() => child.kill());
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (chunk) => {
          output += String(chunk);
        });
      }
      return () => output;
    },
  };
}

async function newFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `plataforma-${name}-`));
  atTheEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function startAndOpen(): Promise<Visit> {
  const settings = { PORT: String(await freePort(null)), AMQP_URL: await claimVhost() };
  const started = npmStart(await newFolder('merchant'), settings);
  atTheEnd(async () => {
    started.child.kill('SIGTERM');
    await started.ended;
  });
  await eventually(() => expect(started.printed()).toContain('A first charge'), START);
  const address = /dashboard +(\S+)/.exec(started.printed())?.[1] ?? '';
  const browser = await startBrowser();
  atTheEnd(() => browser.close());
  const opened = await visit(browser, { origin: new URL(address).origin, refusals: [401] });
  await opened.page.goto(address);
  return opened;
}

test('a new merchant reaches a paid charge by the pages alone', async () => {
  const startedAt = performance.now();
  const opened = await startAndOpen();
  const reader = readerOf(opened);
  const port = String(await freePort(null));
  const folder = await newFolder('receiver');
  const terminal = terminalIn(folder, { PORT: port });

  await reader.press('Criar conta');
  await reader.fill(COMPANY);
  await reader.press('Criar conta');
  await reader.press('Tenho um site');
  await reader.press('Crie uma chave de API');

  await reader.press('Criar chave');
  await reader.fill({ Nome: 'loja' });
  await reader.pressInDialog('Criar chave');
  await reader.keepsSecret();
  await terminal.run(await reader.copies('curl '));
  await reader.press('Ver cobranças');
  await reader.press('R$ 25,00, Maria da Silva, pedido-1001');
  await reader.press('Simular pagamento');
  await reader.sees('Pagamento confirmado');

  await reader.press('Desenvolvedores');
  await reader.press('Criar webhook');
  await reader.fill({ Endereço: `http://localhost:${port}` });
  await reader.pressInDialog('Criar webhook');
  await reader.keepsSecret();
  await writeFile(join(folder, 'receiver.mjs'), await reader.copies('createServer'));
  const receiver = terminal.keepRunning(await reader.copies('WEBHOOK_SECRET='));
  await eventually(() => expect(receiver()).toContain(`http://localhost:${port}`));
  await reader.press('Abrir webhook');
  await reader.press('Enviar teste');
  await reader.pressInDialog('Enviar teste');
  await reader.seesRow('Entregue');

  await eventually(() => expect(receiver()).toContain(`event: 'webhook.test'`));
  await opened.leave();
  expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
});
