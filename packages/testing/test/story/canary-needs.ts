const keys = ['key CPF', 'key e-mail', 'key phone', 'random key'] as const;
const payer = ['payer CPF', 'payer name'] as const;
const holder = ['holder CPF', 'holder name'] as const;

interface Need {
  /** A column, or an event or webhook. */
  source: string;
  values: readonly string[];
  why: string;
}

/** All places that may name people and companies, with the reason. Any other place is a leak. */
const needs: readonly Need[] = [
  {
    source: 'charges.charges.payer_document',
    values: ['payer CPF', 'payer CNPJ'],
    why: 'The provider requires who pays, again when a call was cut off; the merchant reads it.',
  },
  { source: 'charges.charges.payer_name', values: ['payer name'], why: 'As the document.' },
  {
    source: 'charges.payment_links.payer_document',
    values: ['payer CPF'],
    why: 'Whom a merchant’s link is for: its charge is made in that name.',
  },
  { source: 'charges.payment_links.payer_name', values: ['payer name'], why: 'As the document.' },
  {
    source: 'charges.checkouts.payer_document',
    values: ['payer CPF'],
    why: 'Who visits a link: the charge is made in that name, and the same buyer is known again by it.',
  },
  { source: 'charges.checkouts.payer_name', values: ['payer name'], why: 'As the document.' },
  {
    source: 'charges.dispute_files.name',
    values: ['payer name'],
    why: 'A merchant names its files; what is in them is sealed.',
  },
  {
    source: 'charges.idempotency_keys.answer',
    values: ['payer name'],
    why: 'The same request gets the same bytes again, for a day; the document is masked in them.',
  },
  {
    source: 'charges.merchants.snapshot',
    values: ['company name'],
    why: 'The checkout shows whom one pays.',
  },
  {
    source: 'withdrawals.merchants.snapshot',
    values: ['company name'],
    why: 'The snapshot is the same for every service.',
  },
  { source: 'event merchant.updated', values: ['company name'], why: 'It carries the snapshot.' },
  { source: 'gateway.outbox.body', values: ['company name'], why: 'Where that event waits.' },
  { source: 'gateway.users.email', values: ['account e-mail'], why: 'One logs in with it.' },
  { source: 'gateway.operators.email', values: ['operator e-mail'], why: 'One logs in with it.' },
  {
    source: 'gateway.organizations.company_name',
    values: ['company name'],
    why: 'Whom the account belongs to.',
  },
  { source: 'gateway.organizations.cnpj', values: ['company CNPJ'], why: 'Whom the account belongs to.' },
  { source: 'gateway.organizations.phone', values: ['changed phone'], why: 'How we reach them.' },
  { source: 'withdrawals.destinations.pix_key', values: keys, why: 'Where money is to go.' },
  { source: 'withdrawals.destinations.holder_name', values: ['holder name'], why: 'Whose account it is.' },
  { source: 'withdrawals.destinations.holder_document', values: ['holder CPF'], why: 'Whose account it is.' },
  { source: 'withdrawals.withdrawals.pix_key', values: keys, why: 'Where the money went.' },
  {
    source: 'withdrawals.withdrawals.bank_account',
    values: holder,
    why: 'Where the money went; the operator pays by it.',
  },
  {
    source: 'withdrawals.idempotency_keys.answer',
    values: [...keys, ...holder],
    why: 'The same request gets the same bytes again, for a day.',
  },
  {
    source: 'withdrawals.outbox.body',
    values: [...keys, ...holder],
    why: 'What merchants are told of a withdrawal.',
  },
  {
    source: 'event withdrawal.created',
    values: [...keys, ...holder],
    why: 'What merchants are told of a withdrawal, for live lists.',
  },
  {
    source: 'event withdrawal.approved',
    values: keys,
    why: 'What merchants are told of a withdrawal, for live lists.',
  },
  { source: 'event withdrawal.processing', values: keys, why: 'What merchants are told of a withdrawal.' },
  { source: 'event withdrawal.completed', values: keys, why: 'What merchants are told of a withdrawal.' },
  {
    source: 'webhooks.events.body',
    values: [...keys, ...holder],
    why: 'What merchants are told of a withdrawal.',
  },
  {
    source: 'webhook withdrawal.completed',
    values: keys,
    why: 'Promised to merchants: where the money went.',
  },
  { source: 'event withdrawal.rejected', values: holder, why: 'What merchants are told of a withdrawal.' },
  {
    source: 'webhook withdrawal.rejected',
    values: holder,
    why: 'Which of a merchant’s transfers did not go; the saved destination may be gone.',
  },
  {
    source: 'event merchant.updated',
    values: ['company CNPJ'],
    why: 'The event that this story has poisoned with it.',
  },
  {
    source: 'charges.dead_letters.body',
    values: ['company CNPJ'],
    why: 'That event, kept as it came to be replayed.',
  },
  {
    source: 'withdrawals.dead_letters.body',
    values: ['company CNPJ'],
    why: 'That event, kept as it came to be replayed.',
  },
  {
    source: 'charges.outbox.body',
    values: ['payer name'],
    why: 'Where charge.paid waits, which names the payer for the statement; no document is in it.',
  },
  {
    source: 'ledger.row_names.person_name',
    values: ['payer name', 'holder name'],
    why: 'The statement names the payer of a charge and the payee of a withdrawal; a row of its own, so that it can be removed.',
  },
  { source: 'event charge.paid', values: payer, why: 'The event that this story has poisoned with them.' },
  { source: 'ledger.dead_letters.body', values: payer, why: 'That event, kept as it came to be replayed.' },
  { source: 'webhooks.dead_letters.body', values: payer, why: 'That event, kept as it came to be replayed.' },
];

/** The needs as `source: name`. */
export const needed: readonly string[] = needs
  .flatMap(({ source, values }) => values.map((name) => `${source}: ${name}`))
  .toSorted();

/** Secrets that only callers outside the platform store. */
export const keptOutside: readonly string[] = [
  // The sandbox provider acts as the acquirer: it issues a token for a card, valid once, for ten minutes.
  'sandbox-psp.card_tokens.token_id: bad card token',
  'sandbox-psp.card_tokens.token_id: good card token',
];
