import { randomUUID } from 'node:crypto';
import { api, endpoints, scopes } from '@plataforma/contracts';
import { eventually, evidenceForm, logInOperator, type OperatorLogin, PDF } from '../../src/index.ts';
import { CARD, cardToken } from './bank.ts';
import { accountNumber, personal, secret } from './canary-words.ts';
import { anOrder, type Client } from './client.ts';
import type { Cast } from './world.ts';

/** The secrets that the platform has generated during the test, by name. */
type Made = Map<string, string>;

export interface Flow {
  world: Cast;
  anyone: Client;
  made: Made;
}

/** A client for each kind of caller. The test records all answers that the clients get. */
export interface Acting {
  dashboard: Client;
  merchant: Client;
  operator: Client;
}

const register = ({ made }: Flow, name: string, text: unknown): string => {
  made.set(name, String(text));
  return String(text);
};

/** Registers a merchant, and logs in with all kinds of credentials, both valid and invalid. */
export async function openAccount(flow: Flow): Promise<Acting> {
  const { anyone, world } = flow;
  const account = { email: personal['account e-mail'], password: secret.password };
  const registration = {
    ...account,
    companyName: personal['company name'],
    cnpj: personal['company CNPJ'],
    phone: personal['account phone'],
  };
  const registered = await anyone.post('/v1/auth/register', registration);
  register(flow, 'first access token', registered.data.accessToken);
  register(flow, 'first refresh token', registered.data.refreshToken);
  await anyone.post('/v1/auth/register', registration);
  await anyone.post('/v1/auth/register', { ...registration, email: 'x' });
  await anyone.post('/v1/auth/login', { ...account, password: secret['wrong password'] });
  await anyone.post('/v1/auth/refresh', { refreshToken: secret['wrong refresh token'] });
  const { data } = await anyone.post('/v1/auth/login', account);
  const dashboard = anyone.as({ bearer: register(flow, 'access token', data.accessToken) });
  register(flow, 'refresh token', data.refreshToken);
  const refreshed = await anyone.post('/v1/auth/refresh', { refreshToken: data.refreshToken });
  const session = anyone.as({ bearer: register(flow, 'refreshed token', refreshed.data.accessToken) });
  await session.patch('/v1/account', { phone: personal['changed phone'] });
  const operator = await approve(flow, world.operator);
  const minted = await dashboard.post('/v1/api-keys', { name: 'k', environment: 'sandbox', scopes });
  const live = await dashboard.post('/v1/api-keys', { name: 'l', environment: 'production' }, randomUUID());
  register(flow, 'live API key', live.data.key);
  const rotated = await dashboard.post(`/v1/api-keys/${live.data.id}/rotate`);
  register(flow, 'rotated API key', rotated.data.key);
  await dashboard.delete(`/v1/api-keys/${rotated.data.id}`);
  const merchant = anyone.as({ key: register(flow, 'API key', minted.data.key) });
  await knockWrongly(flow);
  return { dashboard, merchant, operator };
}

async function approve(flow: Flow, operator: Client): Promise<Client> {
  const login = { email: personal['operator e-mail'], password: secret['operator’s password'] };
  await operator.post('/v1/admin/operators', { ...login, role: 'ADMIN' }, randomUUID());
  await flow.anyone.post('/v1/admin/auth/login', { ...login, password: secret['wrong password'] });
  const account: OperatorLogin = { ...login };
  const token = await logInOperator(async (body) => {
    const { data, body: answer } = await flow.anyone.post('/v1/admin/auth/login', body);
    return { ...data, ...answer.error };
  }, account);
  register(flow, 'secret of the second factor', account.totpSecret);
  const admin = flow.anyone.as({ bearer: register(flow, 'operator’s token', token) });
  await admin.get(`/v1/admin/merchants?search=${personal['account e-mail']}`);
  const { list } = await admin.get(`/v1/admin/merchants?search=${personal['company CNPJ']}`);
  await admin.post(`/v1/admin/merchants/${list[0]?.id}/approve`);
  await admin.patch(`/v1/admin/merchants/${list[0]?.id}/settings`, { cardEnabled: true });
  return admin;
}

async function knockWrongly({ anyone, world }: Flow): Promise<void> {
  await anyone.as({ key: secret['wrong API key'] }).get('/v1/charges');
  await anyone.as({ bearer: secret['wrong access token'] }).get('/v1/account');
  await world.merchant.get(`/v1/charges?apiKey=${secret['API key in a query']}`);
  await world.merchant.get(`/v1/charges/${secret['API key in a path']}`);
  await world.merchant.get(`/v1/${secret['API key in a path']}/nothing?email=${personal['account e-mail']}`);
  await anyone.post(`/callbacks/pix/${secret['guessed callback secret']}`, { pix: [] });
}

/**
 * Sends personal data in request ids, which the platform logs, and in notices that look like those of a
 * provider.
 */
export async function nameRequests({ anyone, world }: Flow): Promise<void> {
  const cpf = personal['payer CPF'];
  for (const name of [cpf, `pedido-${cpf}`, personal['company CNPJ'], secret['API key as a request id']]) {
    const naming = anyone.as({ headers: { 'x-request-id': name } });
    await naming.get('/v1/account');
    await naming.get(`/v1/charges/${randomUUID()}/checkout`);
  }
  const payer = { cpf, nome: personal['payer name'] };
  const pix = { txid: randomUUID().replaceAll('-', ''), infoPagador: `de ${payer.nome}`, pagador: payer };
  for (const notice of [{ pix: [{ ...pix, endToEndId: cpf }] }, { pix: [pix, payer.nome], cpf }]) {
    const headers = { 'content-type': 'application/json' };
    await fetch(world.platform.callbackUrl, { method: 'POST', headers, body: JSON.stringify(notice) });
  }
}

/**
 * Registers two webhook URLs whose answers repeat the delivered data. The first URL accepts each delivery,
 * and the second URL always fails.
 */
export async function listen(flow: Flow, merchant: Client): Promise<void> {
  const { shop } = flow.world;
  shop.answer(({ path, headers, body }) => ({
    status: path.startsWith('/broken') ? 500 : 200,
    body: `${body} ${JSON.stringify(headers)}`,
  }));
  const hook = { url: `${shop.url}/hooks`, secret: secret['webhook secret'] };
  const { data } = await merchant.post('/v1/webhook-config', hook, randomUUID());
  const broken = await merchant.post('/v1/webhook-config', { url: `${shop.url}/broken` });
  register(flow, 'generated webhook secret', broken.data.secret);
  const next = { secret: secret['next webhook secret'] };
  await merchant.post(`/v1/webhook-config/${data.id}/rotate-secret`, next);
  await merchant.post('/v1/webhook-config', { ...hook, url: 'not a url' });
}

/**
 * Creates charges that are paid, refunded, disputed and declined, and requests for charges in which one field
 * is invalid.
 */
export async function sell({ world, made }: Flow, merchant: Client): Promise<void> {
  const payer = { payerName: personal['payer name'], payerDocument: personal['payer CPF'] };
  const company = { payerName: personal['payer name'], payerDocument: personal['payer CNPJ'] };
  const paid = await merchant.post('/v1/charges', anOrder({ ...payer, amount: 90_000 }), randomUUID());
  const refunded = await merchant.post('/v1/charges', anOrder(company));
  const disputed = await merchant.post('/v1/charges', anOrder(payer));
  for (const { data } of [paid, refunded, disputed]) await world.bank.control(`/pix/${data.txid}/pay`);
  const reads = (id: unknown) => merchant.get(`/v1/charges/${id}`);
  await eventually(async () => {
    const all = await Promise.all([paid, refunded, disputed].map(({ data }) => reads(data.id)));
    if (all.some(({ data }) => data.status !== 'PAID')) throw new Error('not paid yet');
  });
  await merchant.post(`/v1/charges/${refunded.data.id}/refund`, { amount: 100, reason: 'devolvido' });
  const opened = await world.operator.post('/v1/admin/disputes', {
    chargeId: disputed.data.id,
    reason: 'FRAUD',
    description: 'não reconhece',
  });
  const bytes = Buffer.concat([PDF, Buffer.from(personal['payer CPF'])]);
  const file = { name: `recibo de ${personal['payer name']}.pdf`, bytes };
  await merchant.post('/v1/files', evidenceForm(String(opened.data.id), file), randomUUID());
  await merchant.post(`/v1/disputes/${opened.data.id}/evidence`, { description: 'entregue' });
  for (const [name, number] of Object.entries({ good: CARD.approved, bad: CARD.insufficientFunds })) {
    const token = await cardToken(merchant, { number, holder: personal['card holder'] });
    made.set(`${name} card token`, token);
    await merchant.post('/v1/charges', anOrder({ ...payer, paymentMethod: 'CARD', cardToken: token }));
  }
  await sellByLink(merchant, payer);
  const wrong = [
    { payerDocument: `${personal['payer CPF']}9` },
    { payerName: [personal['payer name']] },
    { amount: personal['payer CPF'] },
    { paymentMethod: 'CARD', cardToken: secret['card number'] },
    { description: `pago com ${secret['card number']}` },
    { externalId: `${personal['payer CPF']}${'x'.repeat(99)}` },
  ];
  for (const change of wrong) await merchant.post('/v1/charges', anOrder({ ...payer, ...change }));
}

/**
 * Uses a payment link that contains the payer's name, and a link on which the buyer gives a name. Neither
 * charge is paid.
 */
async function sellByLink(merchant: Client, payer: Record<string, string>): Promise<void> {
  const fields = { description: 'Pedido', amount: 2_500 };
  const named = await merchant.post('/v1/payment-links', { ...fields, ...payer }, randomUUID());
  const open = await merchant.post('/v1/payment-links', fields);
  for (const { link, who } of [
    { link: named, who: {} },
    { link: open, who: payer },
  ]) {
    const { data } = await merchant.post(`/v1/payment-links/${link.data.slug}/checkouts`, who);
    await merchant.post(`/v1/checkouts/${data.id}/pix`);
  }
}

/**
 * Withdraws to each type of Pix key, to a bank account and to a payee's QR code. Also tries amounts above the
 * balance and invalid payees.
 */
export async function payOut(_flow: Flow, merchant: Client): Promise<void> {
  const keys = [
    { pixKeyType: 'CPF', pixKey: personal['key CPF'] },
    { pixKeyType: 'EMAIL', pixKey: personal['key e-mail'] },
    { pixKeyType: 'PHONE', pixKey: personal['key phone'] },
    { pixKeyType: 'EVP', pixKey: personal['random key'] },
  ];
  for (const key of keys) {
    await merchant.post('/v1/destinations', { type: 'PIX', ...key });
    await merchant.post('/v1/withdrawals', { amount: 1_000, ...key }, randomUUID());
  }
  const account = {
    type: 'BANK_ACCOUNT',
    bankCode: '341',
    branch: '0001',
    account: `${accountNumber}-3`,
    accountType: 'CHECKING',
    holderName: personal['holder name'],
    holderDocument: personal['holder CPF'],
  };
  const { data } = await merchant.post('/v1/destinations', account, randomUUID());
  await merchant.post('/v1/withdrawals', { amount: 1_000, destinationId: data.id });
  const unwanted = await merchant.post('/v1/withdrawals', { amount: 1_000, destinationId: data.id });
  await merchant.delete(`/v1/withdrawals/${unwanted.data.id}`);
  await merchant.post('/v1/withdrawals', { amount: 99_999_999, ...keys[0] });
  await merchant.post('/v1/withdrawals', {
    amount: 1_000,
    pixKeyType: 'CPF',
    pixKey: personal['key e-mail'],
  });
  await merchant.post('/v1/withdrawals', { amount: 1_000, pixKeyType: 'EMAIL', pixKey: 'fail@sandbox.test' });
  const charge = await merchant.post('/v1/charges', anOrder());
  await merchant.post('/v1/withdrawals/decode-qr', { brCode: charge.data.qrCode });
  await merchant.post('/v1/withdrawals/decode-qr', { brCode: `000201${personal['key e-mail']}` });
}

/**
 * Calls every GET endpoint with the caller for whom it is meant. For lists, also reads each item of the first
 * page.
 */
export async function readEverything({ dashboard, merchant, operator }: Acting): Promise<void> {
  const reader = { public: merchant, merchant, bearer: dashboard, operator };
  const listed = new Map<string, unknown[]>();
  // The platform has a single operator, whose changes need no proposal.
  const reads = endpoints.filter(({ method, path }) => method === 'get' && path !== api.readProposal.path);
  for (const { path, access } of reads.filter(({ path }) => !path.includes(':'))) {
    const { list } = await reader[access.kind].get(path);
    const ids = Array.from(list, ({ id }) => id);
    listed.set(path, ids);
  }
  const traced = ['/v1/charges', '/v1/withdrawals'].flatMap((path) => listed.get(path) ?? []);
  listed.set('/v1/admin/timeline', traced);
  const [links, charges] = await Promise.all(
    ['/v1/payment-links', '/v1/charges'].map((path) => merchant.get(path)),
  );
  listed.set(
    '/v1/payment-links/:slug/page',
    Array.from(links?.list ?? [], ({ slug }) => slug),
  );
  listed.set(
    '/v1/checkouts',
    Array.from(charges?.list ?? [], ({ checkoutId }) => checkoutId).filter(Boolean),
  );
  const files = await fileIdsOf(merchant, listed.get('/v1/disputes') ?? []);
  listed.set('/v1/files', files).set('/v1/admin/files', files);
  for (const { path, access } of reads.filter(({ path }) => path.includes(':'))) {
    const ids = listed.get(path.replace(/\/:id.*/, '')) ?? [];
    if (ids.length === 0) throw new Error(`no object to read: ${path}`);
    for (const id of ids) {
      const { status } = await reader[access.kind].get(path.replace(/:\w+/, `${id}`));
      if (status !== 200) throw new Error(`${path} answered ${status}`);
    }
  }
}

async function fileIdsOf(merchant: Client, disputes: readonly unknown[]): Promise<string[]> {
  const read = await Promise.all(disputes.map((id) => merchant.get(`/v1/disputes/${id}`)));
  return read.flatMap(({ data }) => api.getDispute.data.parse(data).files.map(({ id }) => id));
}
