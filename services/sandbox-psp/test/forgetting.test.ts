import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { ownBank } from './bank.ts';
import { callCards, orderBody, tokenize } from './cards.ts';

const bank = ownBank({}, { forgetMs: 50 });

test('expired card tokens are deleted, and the others still pay', async () => {
  const [expired, valid] = [await tokenize(bank), await tokenize(bank)];

  await bank.database.queryUnprepared(
    "UPDATE card_tokens SET created_at = created_at - interval '1 hour', ends_at = now() WHERE token_id = $1",
    [expired],
  );

  const stored = () => bank.database.query<{ id: string }>('SELECT token_id AS id FROM card_tokens');
  await eventually(async () => expect(await stored()).toEqual([{ id: valid }]));
  const answer = await callCards(bank, 'POST /orders', { body: orderBody(valid) });
  expect(answer).toMatchObject({ status: 200, body: { status: 'paid' } });
});
