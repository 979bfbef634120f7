const keys = ['key CPF', 'key e-mail', 'key phone', 'random key'] as const;
const payer = ['payer CPF', 'payer name'] as const;
const holder = ['holder CPF', 'holder name'] as const;

interface Need {
  /** A column, or an event or webhook. */
  place: string;
  values: readonly string[];
  why: string;
}

/** All places that may name people and companies, with the reason. Any other place is a leak. */
const needs: readonly Need[] = [
  {
    place: 'charges.charges.payer_document',
    values: ['payer CPF', 'payer CNPJ'],
    why: 'The provider requires who pays, again when a call was cut off; the merchant reads it.',
  },
  { place: 'charges.charges.payer_name', values: ['payer name'], why: 'As the document.' },
  {
    place: 'charges.payment_links.payer_document',
    values: ['payer CPF'],
    why: 'Whom a merchant’s link is for: its charge is made in that name.',
  },
  { place: 'charges.payment_links.payer_name', values: ['payer name'], why: 'As the document.' },
  {
    place: 'charges.checkouts.payer_document',
    values: ['payer CPF'],
    why: 'Who visits a link: the charge is made in that name, and the same buyer is known again by it.',
  },
  { place: 'charges.checkouts.payer_name', values: ['payer name'], why: 'As the document.' },
  {
    place: 'charges.dispute_files.name',
    values: ['payer name'],
    why: 'A merchant names its files; what is in them is sealed.',
  },
  {
    place: 'charges.idempotency_keys.answer',
    values: ['payer name'],
    why: 'The same request gets the same bytes again, for a day; the document is masked in them.',
  },
  { place: 'charges.merchants.snapshot', values: ['company name'], why: 'The checkout shows whom one pays.' },
  {
    place: 'withdrawals.merchants.snapshot',
    values: ['company name'],
    why: 'The snapshot is the same for every service.',
  },
  { place: 'event merchant.updated', values: ['company name'], why: 'It carries the snapshot.' },
  { place: 'gateway.outbox.body', values: ['company name'], why: 'Where that event waits.' },
  { place: 'gateway.users.email', values: ['account e-mail'], why: 'One logs in with it.' },
  { place: 'gateway.operators.email', values: ['operator e-mail'], why: 'One logs in with it.' },
  {
    place: 'gateway.organizations.company_name',
    values: ['company name'],
    why: 'Whom the account belongs to.',
  },
  { place: 'gateway.organizations.cnpj', values: ['company CNPJ'], why: 'Whom the account belongs to.' },
  { place: 'gateway.organizations.phone', values: ['changed phone'], why: 'How we reach them.' },
  { place: 'withdrawals.destinations.pix_key', values: keys, why: 'Where money is to go.' },
  { place: 'withdrawals.destinations.holder_name', values: ['holder name'], why: 'Whose account it is.' },
  { place: 'withdrawals.destinations.holder_document', values: ['holder CPF'], why: 'Whose account it is.' },
  { place: 'withdrawals.withdrawals.pix_key', values: keys, why: 'Where the money went.' },
  {
    place: 'withdrawals.withdrawals.bank_account',
    values: holder,
    why: 'Where the money went; the operator pays by it.',
  },
  {
    place: 'withdrawals.idempotency_keys.answer',
    values: [...keys, ...holder],
    why: 'The same request gets the same bytes again, for a day.',
  },
  {
    place: 'withdrawals.outbox.body',
    values: [...keys, ...holder],
    why: 'What merchants are told of a withdrawal.',
  },
  {
    place: 'event withdrawal.created',
    values: [...keys, ...holder],
    why: 'What merchants are told of a withdrawal, for live lists.',
  },
  {
    place: 'event withdrawal.approved',
    values: keys,
    why: 'What merchants are told of a withdrawal, for live lists.',
  },
  { place: 'event withdrawal.processing', values: keys, why: 'What merchants are told of a withdrawal.' },
  { place: 'event withdrawal.completed', values: keys, why: 'What merchants are told of a withdrawal.' },
  {
    place: 'webhooks.events.body',
    values: [...keys, ...holder],
    why: 'What merchants are told of a withdrawal.',
  },
  {
    place: 'webhook withdrawal.completed',
    values: keys,
    why: 'Promised to merchants: where the money went.',
  },
  { place: 'event withdrawal.rejected', values: holder, why: 'What merchants are told of a withdrawal.' },
  {
    place: 'webhook withdrawal.rejected',
    values: holder,
    why: 'Which of a merchant’s transfers did not go; the saved destination may be gone.',
  },
  {
    place: 'event merchant.updated',
    values: ['company CNPJ'],
    why: 'The event that this story has poisoned with it.',
  },
  {
    place: 'charges.dead_letters.body',
    values: ['company CNPJ'],
    why: 'That event, kept as it came to be replayed.',
  },
  {
    place: 'withdrawals.dead_letters.body',
    values: ['company CNPJ'],
    why: 'That event, kept as it came to be replayed.',
  },
  {
    place: 'charges.outbox.body',
    values: ['payer name'],
    why: 'Where charge.paid waits, which names the payer for the statement; no document is in it.',
  },
  {
    place: 'ledger.row_names.person_name',
    values: ['payer name', 'holder name'],
    why: 'The statement names the payer of a charge and the payee of a withdrawal; a row of its own, so that it can be removed.',
  },
  { place: 'event charge.paid', values: payer, why: 'The event that this story has poisoned with them.' },
  { place: 'ledger.dead_letters.body', values: payer, why: 'That event, kept as it came to be replayed.' },
  { place: 'webhooks.dead_letters.body', values: payer, why: 'That event, kept as it came to be replayed.' },
];

/** The needs as `place: name`. */
export const needed: readonly string[] = needs
  .flatMap(({ place, values }) => values.map((name) => `${place}: ${name}`))
  .toSorted();

/** Secrets that only callers outside the platform store. */
export const keptOutside: readonly string[] = [
  // The sandbox provider acts as the acquirer: it issues a token for a card, valid once, for ten minutes.
  'sandbox-psp.card_tokens.token_id: bad card token',
  'sandbox-psp.card_tokens.token_id: good card token',
];
