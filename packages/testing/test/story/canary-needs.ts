const keys = ['key CPF', 'key e-mail', 'key phone', 'random key'] as const;
const payer = ['payer CPF', 'payer name'] as const;
const holder = ['holder CPF', 'holder name'] as const;
const seller = ['company name', 'company CNPJ', 'changed phone'] as const;

interface Need {
  /** The place that stores the data: a database column, an event, or a webhook. */
  source: string;
  values: readonly string[];
  why: string;
}

/**
 * All places that may contain data of people and companies, each with the reason. Such data in any other
 * place is a leak.
 */
const needs: readonly Need[] = [
  {
    source: 'charges.charges.payer_document',
    values: ['payer CPF', 'payer CNPJ'],
    why: 'The provider requires the payer, also in a repeated call; the merchant reads it.',
  },
  { source: 'charges.charges.payer_name', values: ['payer name'], why: 'Like the document.' },
  {
    source: 'charges.payment_links.payer_document',
    values: ['payer CPF'],
    why: 'The payer of a merchant’s link: the charge is made in that name.',
  },
  { source: 'charges.payment_links.payer_name', values: ['payer name'], why: 'Like the document.' },
  {
    source: 'charges.checkouts.payer_document',
    values: ['payer CPF'],
    why: 'The visitor of a link: the charge is made in that name, and it identifies the same buyer.',
  },
  { source: 'charges.checkouts.payer_name', values: ['payer name'], why: 'Like the document.' },
  {
    source: 'charges.dispute_files.name',
    values: ['payer name'],
    why: 'A merchant names its files; their content is sealed.',
  },
  {
    source: 'charges.idempotency_keys.answer',
    values: ['payer name'],
    why: 'The same request gets the same bytes again, for a day; the document is masked in them.',
  },
  {
    source: 'charges.merchants.snapshot',
    values: seller,
    why: 'The checkout shows the merchant, its CNPJ and its phone number.',
  },
  {
    source: 'withdrawals.merchants.snapshot',
    values: seller,
    why: 'The snapshot is the same for every service.',
  },
  {
    source: 'event merchant.updated',
    values: [...seller, 'account phone'],
    why: 'It contains the snapshot, before and after the change.',
  },
  { source: 'gateway.outbox.body', values: [...seller, 'account phone'], why: 'The event waits there.' },
  { source: 'gateway.users.email', values: ['account e-mail'], why: 'The user logs in with it.' },
  { source: 'gateway.operators.email', values: ['operator e-mail'], why: 'The operator logs in with it.' },
  {
    source: 'gateway.organizations.company_name',
    values: ['company name'],
    why: 'The owner of the account.',
  },
  { source: 'gateway.organizations.cnpj', values: ['company CNPJ'], why: 'The owner of the account.' },
  { source: 'gateway.organizations.phone', values: ['changed phone'], why: 'Operators call the merchant.' },
  { source: 'withdrawals.destinations.pix_key', values: keys, why: 'The payee of withdrawals.' },
  {
    source: 'withdrawals.destinations.holder_name',
    values: ['holder name'],
    why: 'The holder of the account.',
  },
  {
    source: 'withdrawals.destinations.holder_document',
    values: ['holder CPF'],
    why: 'The holder of the account.',
  },
  { source: 'withdrawals.withdrawals.pix_key', values: keys, why: 'The payee of the money.' },
  {
    source: 'withdrawals.withdrawals.order_body',
    values: keys,
    why: 'The gateway’s signature covers the exact body of the order.',
  },
  {
    source: 'withdrawals.withdrawals.bank_account',
    values: holder,
    why: 'The payee of the money; the operator pays by it.',
  },
  {
    source: 'withdrawals.idempotency_keys.answer',
    values: [...keys, ...holder],
    why: 'The same request gets the same bytes again, for a day.',
  },
  {
    source: 'withdrawals.outbox.body',
    values: [...keys, ...holder],
    why: 'Merchants are notified of a withdrawal.',
  },
  {
    source: 'event withdrawal.created',
    values: [...keys, ...holder],
    why: 'Merchants are notified of a withdrawal, for live lists.',
  },
  {
    source: 'event withdrawal.approved',
    values: keys,
    why: 'Merchants are notified of a withdrawal, for live lists.',
  },
  { source: 'event withdrawal.processing', values: keys, why: 'Merchants are notified of a withdrawal.' },
  { source: 'event withdrawal.completed', values: keys, why: 'Merchants are notified of a withdrawal.' },
  {
    source: 'webhooks.events.body',
    values: [...keys, ...holder],
    why: 'Merchants are notified of a withdrawal.',
  },
  {
    source: 'webhook withdrawal.completed',
    values: keys,
    why: 'Promised to merchants: the payee of the money.',
  },
  { source: 'event withdrawal.rejected', values: holder, why: 'Merchants are notified of a withdrawal.' },
  {
    source: 'webhook withdrawal.rejected',
    values: holder,
    why: 'The merchant identifies a failed transfer; the saved destination may be deleted.',
  },
  {
    source: 'charges.dead_letters.body',
    values: ['company CNPJ'],
    why: 'The poisoned event is stored unchanged for a replay.',
  },
  {
    source: 'withdrawals.dead_letters.body',
    values: ['company CNPJ'],
    why: 'The poisoned event is stored unchanged for a replay.',
  },
  {
    source: 'charges.outbox.body',
    values: ['payer name'],
    why: 'charge.paid waits there and names the payer for the statement, without a document.',
  },
  {
    source: 'ledger.row_names.person_name',
    values: ['payer name', 'holder name'],
    why: 'The statement names the payer of a charge and the payee of a withdrawal; a row of its own, so that it can be removed.',
  },
  { source: 'event charge.paid', values: payer, why: 'The story poisons this event with them.' },
  {
    source: 'ledger.dead_letters.body',
    values: payer,
    why: 'The poisoned event is stored unchanged for a replay.',
  },
  {
    source: 'webhooks.dead_letters.body',
    values: payer,
    why: 'The poisoned event is stored unchanged for a replay.',
  },
];

/** Each allowed pair of a place and a kind of data, as `source: name`. */
export const needed: readonly string[] = needs
  .flatMap(({ source, values }) => values.map((name) => `${source}: ${name}`))
  .toSorted();

/** Secrets that only systems outside the platform may store, or that an answer must contain. */
export const keptOutside: readonly string[] = [
  // The refusal of an operator's log-in contains the secret for the operator's first second factor.
  'answer 401: secret of the second factor',
  // The sandbox provider stores card tokens, because it plays the acquirer, which issues the tokens. A token
  // is valid once, for ten minutes.
  'sandbox-psp.card_tokens.token_id: bad card token',
  'sandbox-psp.card_tokens.token_id: good card token',
];
