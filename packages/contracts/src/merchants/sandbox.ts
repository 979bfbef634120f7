import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, reads, writes } from '../endpoint.ts';
import { cents, id } from '../fields.ts';
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

/** The errors of every command that the sandbox bank carries out. */
const played = ['SANDBOX_ONLY', 'NO_SANDBOX_BANK', 'PROVIDER_UNAVAILABLE'] as const;

/** An endpoint with which a sandbox merchant decides on a withdrawal. In production, operators decide. */
const decision = {
  service: 'withdrawals',
  access: writes('withdrawals:write'),
  data: withdrawal,
  errors: ['SANDBOX_ONLY', 'INVALID_STATE'],
} as const;

/** An endpoint that ends a withdrawal at the sandbox bank, as paid, failed or returned. */
const ending = { ...decision, errors: [...played, 'INVALID_STATE'] } as const;

const providerFaults = z.object({
  pix: z.enum(providerStates).meta({ example: 'down' }),
  card: z.enum(providerStates).meta({ example: 'ok' }),
  payout: z.enum(payoutStates).meta({ example: 'ok' }),
  until: timestamp.nullable().meta({
    example: '2026-11-22T12:00:31.000Z',
    description:
      'Time at which all faults return to `ok` automatically, a day after the last change. Null means ' +
      'that all are `ok` already.',
  }),
});

export const sandbox = endpointsOf('charges', {
  simulatePayment: {
    route: 'POST /v1/charges/:id/simulate-payment',
    access: writes('charges:write'),
    summary: 'Pay a sandbox charge',
    description:
      'Pays the charge as its payer would, and sends charge.paid. In production the response is ' +
      'SANDBOX_ONLY.',
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
    summary: 'Simulate unexpected payments of a sandbox charge',
    description:
      'Pays the Pix code in another amount, several times or too late. Each payment is treated as in ' +
      'production. The first payment of the charge’s amount pays the charge. Any other payment is an ' +
      'unexpected payment and is returned automatically. Two requests at the same time are two payers; ' +
      'the same request with its Idempotency-Key is one payer. A card charge is CHARGE_NOT_PAYABLE. In ' +
      'production every request is SANDBOX_ONLY.',
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
            cause: z
              .enum(unexpectedCauses)
              .nullable()
              .meta({
                example: null,
                description:
                  'Reason for the return of a payment that did not pay the charge. Null means that the ' +
                  'payment has paid the charge.',
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
    summary: 'Dispute a sandbox charge',
    description:
      'Opens a dispute as the payer would, and sends dispute.opened. The payer’s bank contests a Pix ' +
      '(MED) once; a card charge receives a chargeback. A charge that was never paid, is disputed already ' +
      'or has no remaining amount is INVALID_STATE.',
    body: sandboxDispute,
    examples: [
      { summary: 'Whole amount', body: { reason: 'FRAUD' } },
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
      'MERCHANT: the dispute is won, and the charge is PAID again. CUSTOMER: the dispute is lost, and the ' +
      'charge is REFUNDED. CANCELLED: the payer withdrew the dispute, which counts as won. Sends ' +
      'dispute.resolved. The end of the deadline decides nothing.',
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
      'Sets the faults of the providers of Pix, cards and payouts for this account’s sandbox only. ' +
      '`slow`: each call takes 3 s, with at most eight at a time; further calls are refused at once. ' +
      '`down`: each call is refused at once without effect. `unknown`: each order takes effect, but its ' +
      'first response is lost; the provider answers a later query. `held`, for payouts: a new Pix ' +
      'withdrawal stays PENDING, as with `hold`. Omitted fields stay the same. The page that takes card ' +
      'numbers has no provider faults, and neither have lists of all payments.',
    body: providerFaultsChange,
    examples: [
      { summary: 'The Pix provider is down', body: { pix: 'down' } },
      { summary: 'Withdrawals stay PENDING', body: { payout: 'held' } },
      { summary: 'No faults', body: { pix: 'ok', card: 'ok', payout: 'ok' } },
    ],
    data: providerFaults,
    errors: played,
  },

  getSandboxProvider: {
    route: 'GET /v1/sandbox/provider',
    access: reads(),
    summary: 'Read the provider faults',
    description: 'In production the response is SANDBOX_ONLY.',
    data: providerFaults,
    errors: played,
  },

  approveSandboxWithdrawal: {
    ...decision,
    route: 'POST /v1/sandbox/withdrawals/:id/approve',
    summary: 'Approve a sandbox withdrawal',
    description:
      'Approves a Pix on hold or a TED, as an operator would. This counts as one approval; a TED that ' +
      'needs two also needs an operator’s approval.',
  },

  rejectSandboxWithdrawal: {
    ...decision,
    route: 'POST /v1/sandbox/withdrawals/:id/reject',
    summary: 'Reject a sandbox withdrawal',
    description:
      'Rejects a PENDING withdrawal, as an operator would. The money returns to the balance, and ' +
      'withdrawal.rejected is sent.',
    body: sandboxRefusal,
    examples: [{ summary: 'Wrong payee', body: { reason: 'O favorecido não confere com o contrato.' } }],
  },

  holdSandboxWithdrawal: {
    ...ending,
    route: 'POST /v1/sandbox/withdrawals/:id/hold',
    summary: 'Hold a sandbox withdrawal',
    description:
      'A PENDING withdrawal stays PENDING until it is approved, rejected, completed or failed, as does a ' +
      'Pix to `hold@sandbox.test`. A Pix that is APPROVED or PROCESSING stays so at the sandbox bank ' +
      'until it is completed or failed. A TED always waits for operators. A withdrawal that has ended is ' +
      'INVALID_STATE.',
  },

  completeSandboxWithdrawal: {
    ...ending,
    route: 'POST /v1/sandbox/withdrawals/:id/complete',
    summary: 'Complete a sandbox withdrawal',
    description:
      'Completes a Pix that has not ended, with any key. A Pix on hold is approved, and the sandbox bank ' +
      'pays it; the response shows it in progress. A TED that is APPROVED or PROCESSING ends at once, ' +
      'under `providerTxId`. A Pix has its bank’s own number. Sends withdrawal.completed.',
    body: sandboxTransfer,
    examples: [{ summary: 'The bank’s number', body: { providerTxId: 'TED-20261123-000123' } }],
  },

  failSandboxWithdrawal: {
    ...ending,
    route: 'POST /v1/sandbox/withdrawals/:id/fail',
    summary: 'Fail a sandbox withdrawal',
    description:
      'Fails a Pix that has not ended, with any key. A Pix on hold is approved first. The sandbox bank ' +
      'then fails it with the SPI code AC03 (`account_not_found`), or with the code of a key such as ' +
      '`fail-ac06@sandbox.test`. A TED that is APPROVED or PROCESSING ends at once, as `refused_by_bank`. ' +
      '`reason` becomes its `failureDetail`. The money returns to the balance, and withdrawal.failed is ' +
      'sent.',
    body: sandboxRefusal,
    examples: [{ summary: 'No such account', body: { reason: 'Conta inexistente no banco de destino.' } }],
  },
} as const satisfies Record<string, Definition>);
