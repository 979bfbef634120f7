import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { ownBank, SHOP, tokenFor } from './bank.ts';

const bank = ownBank();

const pathOfNew = () => `/v2/gn/infracoes/${randomUUID()}/arquivos/${randomUUID()}`;

/** Sends the beginning of a request with a file, and never sends the end. */
function half(token: string) {
  const status = Promise.withResolvers<number | undefined>();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = request(bank.url + pathOfNew(), { method: 'PUT', headers });
  sent.on('response', (answer) => status.resolve(answer.statusCode));
  sent.on('error', () => status.resolve(undefined));
  sent.write('{');
  return { status: status.promise, leave: () => void sent.destroy() };
}

const putStatus = async () => {
  const file = { nome: 'nota.pdf', tipo: 'application/pdf', conteudo: 'JVBERi0xLjc=' };
  return (await bank.call('PUT', pathOfNew(), file)).status;
};

test('a file without an access token is refused unread', async () => {
  const stranger = half('none');

  expect(await stranger.status).toBe(401);
  stranger.leave();
});

test('at most four files of a receiver are read at once', async () => {
  const token = await tokenFor(bank.url, SHOP);
  const open = Array.from({ length: 4 }, () => half(token));

  await eventually(async () => expect(await putStatus()).toBe(503));
  for (const each of open) each.leave();

  await eventually(async () => expect(await putStatus()).toBe(404));
});
