import { z } from 'zod';
import { type Definition, endpointsOf, reads, writes } from '../endpoint.ts';
import { cents, id, timestamp } from '../fields.ts';
import {
  MAX_TIMES,
  payoutStates,
  providerFaultsChange,
  providerStates,
  sandboxDispute,
  sandboxPayment,
  sandboxRefusal,
  sandboxResolution,
  sandboxTransfer,
} from '../forms/sandbox.ts';
import { chargeStatuses } from './charge-view.ts';
import { dispute } from './disputes.ts';
import { unexpectedCauses } from './unexpected-payments.ts';
import { withdrawal } from './withdrawals.ts';

/** The errors of every order to the sandbox bank. */
const played = ['SANDBOX_ONLY', 'NO_SANDBOX_BANK', 'PROVIDER_UNAVAILABLE'] as const;

/** A step of a withdrawal that an operator takes in production. */
const decision = {
  service: 'withdrawals',
  access: writes('withdrawals:write'),
  data: withdrawal,
  errors: ['SANDBOX_ONLY', 'INVALID_STATE'],
} as const;

/** The same of one whose Pix the sandbox bank ends. */
const ending = { ...decision, errors: [...played, 'INVALID_STATE'] } as const;

const providerFaults = z.object({
  pix: z.enum(providerStates).meta({ example: 'down' }),
  card: z.enum(providerStates).meta({ example: 'ok' }),
  payout: z.enum(payoutStates).meta({ example: 'ok' }),
  until: timestamp.nullable().meta({
    example: '2026-11-22T12:00:31.000Z',
    description: 'When all is `ok` again by itself, a day after the last change; null: all is.',
  }),
});

/** Actions of payers and banks in the sandbox. */
export const sandbox = endpointsOf('charges', {
  simulatePayment: {
    route: 'POST /v1/charges/:id/simulate-payment',
    access: writes('charges:write'),
    summary: 'Pay a sandbox charge as its payer would',
    description: 'Fires charge.paid. In production it is SANDBOX_ONLY.',
    data: z.object({
      id,
      txid: z.string(),
      status: z.enum(chargeStatuses),
      paidAt: timestamp.nullable(),
      message: z.string(),
    }),
    keyed: true,
    errors: [...played, 'CHARGE_NOT_PAYABLE', 'PROVIDER_ERROR'],
  },

  paySandboxCharge: {
    route: 'POST /v1/sandbox/charges/:id/pay',
    access: writes('charges:write'),
    summary: 'Pay a sandbox charge in another amount, several times or too late',
    description:
      'Each time a payer pays the Pix code, and what comes is treated as in production: the first payment of the ' +
      'charge’s amount pays it; any other is an unexpected payment, which goes back by itself. Two requests at once are two ' +
      'payers; the same request with its Idempotency-Key is one. A card charge is CHARGE_NOT_PAYABLE, in production ' +
      'everything is SANDBOX_ONLY.',
    body: sandboxPayment,
    examples: [
      { summary: 'In the wrong amount', body: { amount: 2400 } },
      { summary: 'Twice', body: { times: 2 } },
      { summary: 'After its expiry', body: { late: true } },
    ],
    data: z.object({
      id,
      txid: z.string(),
      status: z.enum(chargeStatuses).meta({ example: 'PAID' }),
      paidAt: timestamp.nullable().meta({ example: '2026-11-21T12:00:31.000Z' }),
      payments: z
        .array(
          z.object({
            endToEndId: z.string(),
            amount: cents,
            cause: z.enum(unexpectedCauses).nullable().meta({
              example: null,
              description: 'Why it paid nothing and goes back; null: it has paid the charge.',
            }),
          }),
        )
        .max(MAX_TIMES),
    }),
    keyed: true,
    errors: [...played, 'CHARGE_NOT_PAYABLE', 'PROVIDER_ERROR'],
  },

  disputeSandboxCharge: {
    route: 'POST /v1/sandbox/charges/:id/dispute',
    access: writes('charges:write'),
    summary: 'Dispute a sandbox charge as its payer would',
    description:
      'A Pix is contested by its payer’s bank (MED), once; a card charge is charged back. Fires dispute.opened. A charge ' +
      'that was never paid or is disputed already is INVALID_STATE, as is one of which nothing is left.',
    body: sandboxDispute,
    examples: [
      { summary: 'All of it', body: { reason: 'FRAUD' } },
      { summary: 'A part of a card charge', body: { amount: 900, reason: 'NOT_RECEIVED' } },
    ],
    data: dispute,
    keyed: true,
    errors: [...played, 'INVALID_STATE', 'REQUEST_IN_PROGRESS', 'PROVIDER_ERROR'],
  },

  resolveSandboxDispute: {
    route: 'POST /v1/sandbox/disputes/:id/resolve',
    access: writes('charges:write', 'disputes:write'),
    summary: 'End a sandbox dispute',
    description:
      'MERCHANT: won, the charge is PAID again. CUSTOMER: lost, it is REFUNDED. CANCELLED: the payer took it back, which ' +
      'counts as won. Fires dispute.resolved. That its deadline passes decides nothing.',
    body: sandboxResolution,
    examples: [{ summary: 'Won', body: { outcome: 'MERCHANT' } }],
    data: dispute,
    errors: ['SANDBOX_ONLY', 'INVALID_STATE'],
  },

  setSandboxProvider: {
    route: 'POST /v1/sandbox/provider',
    access: writes('charges:write', 'withdrawals:write'),
    summary: 'Change the provider faults',
    description:
      'How the providers of Pix, cards and payouts behave towards this account’s sandbox, and nobody else’s. `slow`: each ' +
      'call takes 3 s, eight at a time; further ones are refused at once. `down`: each call is refused at once, with nothing done. `unknown`: what is ' +
      'ordered is done, and the first answer lost; asked again, the provider answers. `held`, of payouts: a new Pix ' +
      'withdrawal stays PENDING, as with `hold`. What is left out stays as it is. The page that takes card numbers has no ' +
      'provider faults, nor have lists of all payments.',
    body: providerFaultsChange,
    examples: [
      { summary: 'The Pix provider is down', body: { pix: 'down' } },
      { summary: 'Withdrawals are held', body: { payout: 'held' } },
      { summary: 'All is well again', body: { pix: 'ok', card: 'ok', payout: 'ok' } },
    ],
    data: providerFaults,
    errors: played,
  },

  getSandboxProvider: {
    route: 'GET /v1/sandbox/provider',
    access: reads(),
    summary: 'Get the provider faults',
    description: 'In production it is SANDBOX_ONLY.',
    data: providerFaults,
    errors: played,
  },

  approveSandboxWithdrawal: {
    ...decision,
    route: 'POST /v1/sandbox/withdrawals/:id/approve',
    summary: 'Approve a sandbox withdrawal as an operator would',
    description:
      'Of a Pix that is held, or of a TED. Counts as one approval: a TED that needs two is approved by an operator, too.',
  },

  rejectSandboxWithdrawal: {
    ...decision,
    route: 'POST /v1/sandbox/withdrawals/:id/reject',
    summary: 'Reject a sandbox withdrawal as an operator would',
    description: 'While it is PENDING. The money comes back; fires withdrawal.rejected.',
    body: sandboxRefusal,
    examples: [{ summary: 'Wrong payee', body: { reason: 'O favorecido não confere com o contrato.' } }],
  },

  holdSandboxWithdrawal: {
    ...ending,
    route: 'POST /v1/sandbox/withdrawals/:id/hold',
    summary: 'Hold a sandbox withdrawal',
    description:
      'One that is PENDING stays so until it is approved, rejected, completed or failed, as a Pix to `hold@sandbox.test` does ' +
      'by itself. A Pix that is APPROVED or PROCESSING stays so at the sandbox bank until it is completed or failed. A TED ' +
      'waits for people anyway. One that has ended is INVALID_STATE.',
  },

  completeSandboxWithdrawal: {
    ...ending,
    route: 'POST /v1/sandbox/withdrawals/:id/complete',
    summary: 'Have a sandbox withdrawal paid',
    description:
      'A Pix that has not ended, whatever its key: one that is held is approved, and the sandbox bank pays it; the answer ' +
      'shows it on its way. A TED that is APPROVED or PROCESSING ends at once, under `providerTxId`; a Pix has its bank’s own ' +
      'number. Fires withdrawal.completed.',
    body: sandboxTransfer,
    examples: [{ summary: 'The bank’s number', body: { providerTxId: 'TED-20261123-000123' } }],
  },

  failSandboxWithdrawal: {
    ...ending,
    route: 'POST /v1/sandbox/withdrawals/:id/fail',
    summary: 'Let a sandbox withdrawal come back',
    description:
      'A Pix that has not ended, whatever its key: one that is held is approved, and the sandbox bank fails it with the SPI ' +
      'code AC03 (`account_not_found`), or with that of a key such as `fail-ac06@sandbox.test`. A TED that is APPROVED or ' +
      'PROCESSING ends at once, as `refused_by_bank`. `reason` is its `failureDetail`. The money comes back; fires withdrawal.failed.',
    body: sandboxRefusal,
    examples: [{ summary: 'No such account', body: { reason: 'Conta inexistente no banco de destino.' } }],
  },
} as const satisfies Record<string, Definition>);
