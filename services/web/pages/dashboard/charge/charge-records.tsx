import type { ChargeView } from '@plataforma/contracts';
import { platformTexts } from '@plataforma/contracts/value-words';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Status } from '../../components/badge/badge.tsx';
import { Card } from '../../components/card/card.tsx';
import { classes } from '../../components/classes.ts';
import { CopyText } from '../../components/copy/copy.tsx';
import layout from '../../components/layout.module.css';
import { Money, Time } from '../../components/values/values.tsx';
import { count, money } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { useMovementText } from '../../shared/transaction-words.ts';
import { ListCard } from '../lists/list-card.tsx';
import styles from './charge.module.css';
import { deliveriesQuery, eventsQuery, transactionsQuery } from './queries.ts';
import { chargeWords, refundWords } from './words.ts';

/** The class of a line that spans both columns below the first line of an item. */
const line = classes(layout.soft, styles.whole);

export function ChargeRefunds({ charge }: { charge: ChargeView }) {
  const words = useWords(chargeWords);
  const reasons: Readonly<Record<string, unknown>> = useWords(refundWords);
  const { dispute } = useWords(platformTexts);
  // The refund of a lost dispute has a reason that the platform wrote. The reason of any other refund is the
  // merchant's own text.
  const reasonText = (reason: string) =>
    charge.disputeId !== null && reason === 'dispute' ? dispute : reason;
  if (charge.refunds.length === 0) return null;
  return (
    <Card title={words.refunds}>
      <ul className={layout.list}>
        {charge.refunds.map(({ id, origin, amount, status, requestedAt, ...refund }) => (
          <li key={id} className={styles.item}>
            <Money cents={amount} />
            <Status of="refund" status={status} />
            <p className={line}>
              <Time at={requestedAt} />
            </p>
            {refund.reason && <p className={line}>{words.refundNote(reasonText(refund.reason))}</p>}
            {refund.failureReason && (
              <p className={line}>{String(reasons[refund.failureReason] ?? refund.failureReason)}</p>
            )}
            {refund.waitingFor && <p className={line}>{words.stopped}</p>}
            {origin === 'MERCHANT' && (
              <div className={line}>
                ID: <CopyText text={id} />
              </div>
            )}
            {refund.endToEndId && (
              <div className={line}>
                E2E: <CopyText text={refund.endToEndId} />
              </div>
            )}
            {refund.refundedAt && origin === 'MERCHANT' && (
              <p className={line}>
                <Link to="/charges/$id/refunds/$refundId/receipt" params={{ id: charge.id, refundId: id }}>
                  {words.receipt}
                </Link>
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function ChargeDispute({ disputeId }: { disputeId: string | null }) {
  const words = useWords(chargeWords);
  if (disputeId === null) return null;
  return (
    <Card title={words.dispute}>
      <Link to="/disputes/$id" params={{ id: disputeId }}>
        {words.openDispute}
      </Link>
    </Card>
  );
}

export function ChargeTransactions({ id }: { id: string }) {
  const words = useWords(chargeWords);
  const movementText = useMovementText();
  return (
    <ListCard title={words.transactions} read={useQuery(transactionsQuery(id))} none={words.noTransactions}>
      {({ id: each, type, amount, createdAt, balanceAfter }) => (
        <li key={each} className={styles.item}>
          <span>{movementText({ type, amount })}</span>
          <Money cents={amount} />
          <p className={layout.soft}>
            <Time at={createdAt} />
          </p>
          <p className={layout.soft}>{words.movementBalance(money(balanceAfter))}</p>
        </li>
      )}
    </ListCard>
  );
}

export function ChargeEvents({ id }: { id: string }) {
  const words = useWords(chargeWords);
  const language = useLanguage();
  const deliveries = useQuery(deliveriesQuery(id)).data?.data ?? [];
  const sentOf = (event: string) => deliveries.filter((delivery) => delivery.event === event);
  return (
    <ListCard title={words.eventsTitle} read={useQuery(eventsQuery(id))} none={words.noEvents}>
      {({ id: each, event, createdAt }) => (
        <li key={each} className={styles.item}>
          <code>{event}</code>
          <span className={layout.soft}>
            <Time at={createdAt} />
          </span>
          {sentOf(event).length === 0 && <p className={line}>{words.notSent}</p>}
          {sentOf(event).map(({ id: delivery, status, attempts }) => (
            <p key={delivery} className={classes(line, styles.delivery)}>
              <Status of="delivery" status={status} />
              <Link to="/developers/deliveries/$id" params={{ id: delivery }}>
                {words.attemptCount(count(attempts, language))}
              </Link>
            </p>
          ))}
        </li>
      )}
    </ListCard>
  );
}
