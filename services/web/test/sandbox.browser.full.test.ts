import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { barriersInModes, sideScrollOf } from '@plataforma/testing/browser';
import { testClock } from './stories/clock.ts';
import { anOrder, enterForEach, paidCharge, visitAsDemo, world } from './support/browser-world.ts';

const NO_FAULTS = { pix: 'ok', card: 'ok', payout: 'ok' };

const visit = enterForEach({ refusals: [401, 404] });

afterEach(() => world.make('/v1/sandbox/provider', NO_FAULTS));

const faults = () => world.read('/v1/sandbox/provider');

/** Chooses an action of the sandbox menu with the keyboard. */
async function play(name: string) {
  const { page } = visit;
  await page.getByRole('button', { name: 'Simular', exact: true }).press('Enter');
  await page.getByRole('button', { name, exact: true }).press('Enter');
}

const paid = () => paidCharge({ amount: 9_000 });

async function withdrawn() {
  await paid();
  const order = { amount: 1_000, pixKey: 'maria@exemplo.com.br', pixKeyType: 'EMAIL' };
  return eventually(() => world.make('/v1/withdrawals', order));
}

describe('the sandbox page', () => {
  test('sets a provider fault by keyboard and ends it', async () => {
    const { page } = visit;
    await page.goto('/test');
    await page.locator('#content h1').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    const pix = page.getByLabel('Pix');
    await pix.waitFor();
    await pix.focus();
    await page.keyboard.type('Fora');
    await page.getByRole('button', { name: 'Salvar' }).press('Enter');
    await page.getByText('Volta ao normal sozinho:').waitFor();

    expect(await faults()).toMatchObject({ ...NO_FAULTS, pix: 'down' });
    await expect(world.make('/v1/charges', anOrder())).rejects.toThrow('503');
    expect(await barriersInModes(page)).toEqual([]);
    expect(await sideScrollOf(page, [320, 390, 768, 1280])).toEqual([]);
    await page.getByRole('button', { name: 'Voltar ao normal' }).press('Enter');
    await page.getByText('Volta ao normal sozinho:').waitFor({ state: 'detached' });
    expect([await faults(), await pix.inputValue()]).toEqual([{ ...NO_FAULTS, until: null }, 'ok']);
  });

  test('adds webhook faults once, shows the remaining ones, ends them', async () => {
    const { page } = visit;
    await page.goto('/test/sandbox');
    await page.getByRole('link', { name: 'Crie um webhook primeiro' }).waitFor();
    const { id } = await world.make('/v1/webhook-config', { url: `${world.webUrl}/nobody` });
    await page.reload();
    await page.getByLabel('Falha', { exact: true }).selectOption('Assinatura falsa');
    await page.getByLabel('Tentativas').fill('101');
    await page.keyboard.press('Enter');
    await page.locator('[name=count][aria-invalid="true"]').waitFor();
    await page.getByLabel('Tentativas').fill('3');
    const add = page.getByRole('button', { name: 'Simular falha' });
    await add.dblclick();
    const left = page.getByRole('list', { name: 'Falhas ativas' });
    await left.getByText('Faltam 3 de 3').waitFor();
    // The second click of a double click can come after the answer to the first one.
    await add.dispatchEvent('click', { detail: 2 });

    const webhookFaults = await world.list('/v1/sandbox/webhook-faults');
    expect(webhookFaults).toMatchObject([{ webhookId: id, kind: 'bad_signature', count: 3 }]);
    expect(await barriersInModes(page)).toEqual([]);
    expect(await sideScrollOf(page, [320, 390, 768, 1280])).toEqual([]);
    await left.getByRole('button', { name: 'Encerrar' }).press('Enter');
    await left.waitFor({ state: 'detached' });
    expect(await world.list('/v1/sandbox/webhook-faults')).toEqual([]);
  });

  test('is available in English', async () => {
    const english = await visitAsDemo({ language: 'en-US' });
    await english.page.goto('/test/sandbox');

    await english.page.getByLabel('Withdrawals').selectOption('Holds withdrawals until you decide');
    await english.page.getByRole('button', { name: 'Save' }).press('Enter');

    await english.page.getByText('Returns to normal automatically:').waitFor();
    expect(await faults()).toMatchObject({ payout: 'held' });
    await english.leave();
  });

  test('does not exist in production', async () => {
    const { page } = visit;
    await page.goto('/sandbox');

    await page.getByRole('heading', { name: 'Página não encontrada' }).waitFor();

    expect(await page.getByRole('link', { name: 'Sandbox' }).count()).toBe(0);
  });
});

describe('the page of a charge', () => {
  test('simulates a wrong amount once, then a double payment', async () => {
    const { page } = visit;
    const { id } = await world.make('/v1/charges', anOrder());
    const payments = () => world.list(`/v1/unexpected-payments?chargeId=${id}`);
    await page.goto(`/test/charges/${id}`);

    await play('Pagar valor errado: R$ 24,99');
    await page.getByRole('status').getByText('Pago com valor errado').waitFor();
    const before = [(await world.read(`/v1/charges/${id}`)).status, (await payments()).length];
    await play('Pagar duas vezes');
    // The toast about the payment may replace the toast about the action, so the test reads the page's header
    // instead.
    await page.locator('header').getByText('Paga', { exact: true }).waitFor();

    expect(before).toEqual(['PENDING', 1]);
    expect((await world.read(`/v1/charges/${id}`)).status).toBe('PAID');
    const causes = (await payments()).map(({ cause }) => cause);
    expect(causes.sort()).toEqual(['DUPLICATE', 'WRONG_AMOUNT']);
  });

  test('simulates a late payment and a dispute', async () => {
    const { page } = visit;
    const late = await world.make('/v1/charges', anOrder());
    await page.goto(`/test/charges/${late.id}`);
    await play('Pagar depois de expirar');
    await page.getByRole('status').getByText('Pago tarde').waitFor();
    await page.goto(`/test/charges/${await paid()}`);

    await play('Contestar');

    await page.getByRole('link', { name: 'Ver contestação' }).waitFor();
    expect((await world.read(`/v1/charges/${late.id}`)).status).toBe('EXPIRED');
    expect(await barriersInModes(page)).toEqual([]);
  });
});

test('a refusal without provider points to the sandbox page', async () => {
  const { id } = await world.make('/v1/charges', anOrder());
  await world.make('/v1/sandbox/provider', { ...NO_FAULTS, pix: 'down' });
  const refused = await visitAsDemo({ refusals: [401, 503] });
  await refused.page.goto(`/test/charges/${id}`);
  await refused.page.getByRole('button', { name: 'Simular pagamento' }).press('Enter');

  await refused.page.getByText('A página Sandbox mostra se é uma falha simulada.').waitFor();
  await refused.leave();
});

describe('the page of a withdrawal without approval', () => {
  test.each([
    ['Aprovar', 'Concluído'],
    ['Concluir', 'Concluído'],
    ['Falhar', 'Não concluído'],
    ['Recusar', 'Recusado'],
  ])('ends it with “%s”: %s', async (name, status) => {
    const { page } = visit;
    await world.make('/v1/sandbox/provider', { payout: 'held' });
    const { id } = await withdrawn();
    await page.goto(`/test/withdrawals/${id}`);
    await page.getByText('Falta uma aprovação.').waitFor();

    await play(name);

    await page.locator('header').getByText(status, { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Simular', exact: true }).count()).toBe(0);
  });
});

describe('the clock of the sandbox', () => testClock(visit));

test('an approved TED shows no missing approval', async () => {
  const { page } = visit;
  await paid();
  const account = { type: 'BANK_ACCOUNT', bankCode: '341', branch: '0001', account: '123456-7' };
  const holder = { accountType: 'CHECKING', holderName: 'Maria da Silva', holderDocument: '123.456.789-09' };
  const destination = await world.make('/v1/destinations', {
    ...account,
    ...holder,
    label: 'Conta de Maria',
  });
  const order = { amount: 1_000, destinationId: destination.id };
  const { id } = await eventually(() => world.make('/v1/withdrawals', order));
  await world.make(`/v1/sandbox/withdrawals/${id}/approve`);

  await page.goto(`/test/withdrawals/${id}`);

  await page
    .getByText('Nossa equipe ainda não enviou a transferência à conta bancária. Aguardando a nossa equipe.')
    .waitFor();
  expect(await page.getByText('aprovação').count()).toBe(0);
});
