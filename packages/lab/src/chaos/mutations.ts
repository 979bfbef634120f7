import { insiderMutations } from './insider-mutations.ts';
import { linkMutations } from './link-mutations.ts';
import { dropChecksOn, type Mutation } from './mutation.ts';
import { orderMutations } from './order-mutations.ts';

const dropInboxKey = 'ALTER TABLE inbox DROP CONSTRAINT inbox_pkey';

/** The finding that a missing signature check causes, and the fault that is needed for it. */
const byForgedEvents = { shows: /which no service announced/, needs: { faults: ['events forged'] } };

export const mutations: readonly Mutation[] = [
  {
    name: 'inbox key',
    breaks:
      'an event that arrives twice is applied once, and the ledger does not post the end of a withdrawal again',
    edits: [
      {
        file: 'services/ledger/src/domain/books.ts',
        find: '  if (same) return agrees',
        replace: '  if (same && !/^withdrawal_(completed|returned)$/.test(fact.kind)) return agrees',
      },
    ],
    sql: [
      ...(['charges', 'withdrawals', 'ledger', 'webhooks'] as const).map((service) => ({
        service,
        statement: dropInboxKey,
      })),
      { service: 'ledger', statement: 'ALTER TABLE journal_entries DROP CONSTRAINT journal_entries_fact' },
    ],
    shows: /^withdrawal .* in the books/,
    needs: {
      faults: ['fail point', 'events published again', 'connections closed by the broker'],
      points: ['inbox.committed', 'outbox.published'],
      clients: 'withdrawals that end',
    },
  },
  {
    name: 'conditional debit',
    breaks: 'a withdrawal is refused when the balance does not cover it',
    edits: [
      {
        file: 'services/ledger/src/domain/withdrawal-postings.ts',
        find: '  if (netAmount + fee > withdrawable(wallet)) throw withdrawalNotCovered();\n',
        replace: '',
      },
      {
        file: 'services/ledger/src/domain/withdrawal-postings.ts',
        find: "...outOf(fromAvailable(wallet, netAmount + fee, 'PIX'))",
        replace: "{ account: 'available:PIX', amount: -(netAmount + fee) }",
      },
      {
        file: 'services/ledger/src/domain/posting.ts',
        find: "  if (amount < 0) throw new RangeError('a part of a wallet would fall below zero');\n",
        replace: '',
      },
    ],
    sql: [{ service: 'ledger', statement: dropChecksOn('wallets', 'available_pix_cents') }],
    shows: /below zero for a while/,
    needs: { clients: 'withdrawals at the same moment, together more than the balance' },
  },
  {
    name: 'lease fence',
    breaks: 'the result of a delivery counts only while its lease lasts',
    edits: ['baseline.sql', '033-resends.ts'].map((name) => ({
      file: `services/webhooks/migrations/${name}`,
      find: 'AND d.event_id = r.event_id AND d.lease_token = r.lease_token',
      replace: 'AND d.event_id = r.event_id',
    })),
    shows: /sent on after a 2xx/,
    needs: {
      faults: ['stopped at fail points for longer than its leases'],
      points: ['delivery.leased', 'delivery.answered'],
      clients: 'endpoints that fail, and then do not; a process that stands still for longer than a lease',
    },
  },
  {
    name: 'mandatory flag',
    breaks: 'an event that no queue takes stays in the outbox',
    edits: [
      {
        file: 'packages/messaging/src/publisher.ts',
        find: 'persistent: true, mandatory: true,',
        replace: 'persistent: true,',
      },
    ],
    shows: /^no .* applied by/,
    needs: { faults: ['bindings lost'] },
  },
  {
    name: 'publisher confirm',
    breaks: 'an event stays in the outbox until the broker has confirmed it',
    edits: [
      {
        file: 'packages/messaging/src/publisher.ts',
        find: '  return new Promise((resolve) => {\n    channel.publish(',
        replace: '  return new Promise((resolve) => {\n    resolve(id);\n    channel.publish(',
      },
      {
        file: 'packages/messaging/src/publisher.ts',
        find: "        if (channel !== current) throw new Error('the channel to the broker was lost before it confirmed');\n",
        replace: '',
      },
    ],
    shows: /^no .* applied by/,
    needs: {
      faults: ['broker killed', 'link cut', 'broker restarted'],
      points: ['outbox.published', 'commit.done'],
    },
  },
  {
    name: 'acknowledge after commit',
    breaks: 'an event stays in its queue until its effect is committed',
    edits: [
      {
        file: 'packages/messaging/src/consumer.ts',
        find: '    const outcome = await inTracesOf(queue, batch,',
        replace:
          '    sendAck(() => unacknowledged.acknowledge(batch));\n    const outcome = await inTracesOf(queue, batch,',
      },
      {
        file: 'packages/messaging/src/consumer.ts',
        find: 'if (isApplied && isWhole) return sendAck(() => unacknowledged.acknowledge(batch));',
        replace: 'if (isApplied && isWhole) return;',
      },
    ],
    shows: /^no .* applied by/,
    needs: { faults: ['killed at fail points', 'database killed'], points: ['commit.due', 'facts.posted'] },
  },
  {
    name: 'state guard',
    breaks: 'a charge that is paid can’t expire, and a withdrawal that is on its way can’t be rejected',
    edits: [
      {
        file: 'services/charges/src/domain/charge.ts',
        find: "  PAID: { refund: 'REFUNDED', dispute: 'DISPUTED' },",
        replace:
          "  PAID: { refund: 'REFUNDED', dispute: 'DISPUTED', expire: 'EXPIRED', cancel: 'CANCELLED' },",
      },
      {
        file: 'services/withdrawals/src/domain/withdrawal.ts',
        find: "  APPROVED: { start: 'PROCESSING' },\n  PROCESSING: { complete: 'COMPLETED', fail: 'FAILED' },",
        replace:
          "  APPROVED: { start: 'PROCESSING', reject: 'REJECTED' },\n  PROCESSING: { complete: 'COMPLETED', fail: 'FAILED', reject: 'REJECTED' },",
      },
    ],
    sql: [{ service: 'charges', statement: dropChecksOn('charges', 'paid_at') }],
    shows: /was answered 200, and of (charges|withdrawals)|, follows /,
    needs: {
      faults: ['callback'],
      clients: 'one approves and another rejects; charges that are paid just before they expire',
    },
  },
  {
    name: 'idempotency key',
    breaks: 'a request that is repeated with its Idempotency-Key is executed once',
    edits: [
      {
        file: 'packages/http/src/idempotency.ts',
        find: '  if (header === undefined) return null;\n',
        replace: '  if (header !== null) return null;\n',
      },
    ],
    shows: /was done \d+ times|was answered otherwise/,
    needs: {
      faults: ['killed at fail points', 'link cut', 'answers lost'],
      points: ['answer.due', 'keyed_answer.due', 'commit.done', 'request.forwarded'],
      clients: 'withdrawals with a key, asked for again when no answer came',
    },
  },
  {
    name: 'one refund',
    breaks: 'a charge has one refund, and a repeated request resumes it',
    edits: [
      {
        file: 'services/charges/src/operations/request-refund.ts',
        find: '(await resume(tx, locked, input)) ?? (await start(tx, locked, input))',
        replace: 'await start(tx, locked, input)',
      },
    ],
    sql: [{ service: 'charges', statement: 'DROP INDEX refunds_charge' }],
    shows: /more returned than was paid/,
    needs: {
      faults: ['killed at fail points', 'provider'],
      points: ['refund.stored', 'refund.debited', 'refund.answered'],
      clients: 'refunds asked for again when no answer came',
    },
  },
  {
    name: 'signature check',
    breaks: 'an event is applied only when a service has signed it',
    edits: [
      {
        file: 'packages/messaging/src/signatures.ts',
        find: "    accepts: (verdict) => verdict === 'valid' || (!isRequired && verdict !== 'invalid'),",
        replace: '    accepts: () => true,',
      },
    ],
    ...byForgedEvents,
  },
  {
    name: 'producer check',
    breaks: 'an event is applied only when the service it comes from has signed it',
    edits: [
      {
        file: 'packages/events/src/signatures.ts',
        find: "if (batch?.producer !== producerOf(type)) return 'invalid';",
        replace: "if (!batch) return 'invalid';",
      },
    ],
    ...byForgedEvents,
  },
  {
    name: 'payout check',
    breaks: 'a payout waits while the books do not account for its money',
    edits: [
      {
        file: 'services/withdrawals/src/operations/compare-books-before-payout.ts',
        find: '  const { database } = dependencies;\n  try {',
        replace: "  const { database } = dependencies;\n  try {\n    if (database) return 'proven';",
      },
    ],
    shows: /was paid out while its wallet had more than its entries say/,
    needs: {
      faults: ['wallet raised by SQL'],
      clients: 'merchants that withdraw while their wallet is raised',
    },
  },
  {
    name: 'row seals',
    breaks: 'a service works only on rows that it has sealed',
    edits: [
      {
        file: 'packages/tables/src/row-seals.ts',
        find: "      if (state === 'good') return true;",
        replace: '      if (state) return true;',
      },
    ],
    shows: /which no service announced|knows nothing of it|of no withdrawal|a forged API key works/,
    needs: { faults: ['rows forged by SQL', 'login of the gateway at its database'] },
  },
  ...insiderMutations,
  ...orderMutations,
  ...linkMutations,
];
