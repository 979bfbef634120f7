import type { WebhookDeliveryStoryView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Badge, Status } from '../../components/badge/badge.tsx';
import { Card, Columns, Stack } from '../../components/card/card.tsx';
import { Details } from '../../components/details/details.tsx';
import { Json } from '../../components/json/json.tsx';
import layout from '../../components/layout.module.css';
import { Time } from '../../components/values/values.tsx';
import { call } from '../../shared/api.ts';
import { count } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { ChangeButton } from '../changes/change-button.tsx';
import { ObjectPage } from '../object-page.tsx';
import { deliveryQuery } from '../webhooks/queries.ts';
import styles from '../webhooks/webhooks.module.css';
import { webhookWords } from '../webhooks/words.ts';

const route = getRouteApi('/frame/developers/deliveries/$id');

export function DeliveryPage() {
  const words = useWords(webhookWords);
  const read = useQuery(deliveryQuery(route.useParams().id));
  const back = read.data ? (
    <Link to="/developers/webhooks/$id" params={{ id: read.data.webhookId }}>
      ← {words.deliveries}
    </Link>
  ) : (
    <Link to="/developers/webhooks">← {words.webhooks}</Link>
  );
  return (
    <ObjectPage
      read={read}
      name={words.delivery}
      back={back}
      head={(delivery) => ({
        title: delivery.event,
        beside: <Status of="delivery" status={delivery.status} />,
        actions: <Resend key={delivery.attempts.length} delivery={delivery} />,
      })}
    >
      {(delivery) => <Shown delivery={delivery} />}
    </ObjectPage>
  );
}

/** The page renders this button anew after each attempt, so that each attempt has another Idempotency-Key. */
function Resend({ delivery: { id, status } }: { delivery: WebhookDeliveryStoryView }) {
  const words = useWords(webhookWords);
  return (
    <ChangeButton
      kind={status === 'FAILED' ? 'primary' : 'plain'}
      send={(idempotencyKey) =>
        call('POST /v1/webhook-deliveries/:id/resend', { params: { id }, idempotencyKey })
      }
      changes={['delivery']}
      done={words.resent}
    >
      {words.resend}
    </ChangeButton>
  );
}

function Shown({ delivery }: { delivery: WebhookDeliveryStoryView }) {
  const words = useWords(webhookWords);
  const { id, resourceId, createdAt, nextAttemptAt, payload, event } = delivery;
  const headers = [
    'Content-Type: application/json',
    `X-Webhook-Event: ${event}`,
    `X-Webhook-Id: ${id}`,
    ...(payload.eventId ? [`X-Webhook-Event-Id: ${payload.eventId}`] : []),
    'X-Webhook-Signature: sha256=…',
  ].join('\n');
  return (
    <Columns>
      <Stack>
        <Card title={words.attempts}>
          <Attempts delivery={delivery} />
        </Card>
        <Card title={words.body}>
          <Json value={payload} />
        </Card>
      </Stack>
      <Stack>
        <Card title={words.delivery}>
          <Details
            details={[
              { label: words.deliveryCreated, value: <Time at={createdAt} /> },
              { label: words.nextAttempt, value: nextAttemptAt && <Time at={nextAttemptAt} isRelative /> },
              { label: words.object, value: resourceId, copy: resourceId },
              { label: words.id, value: id, copy: id },
            ]}
          />
        </Card>
        <Card title={words.headers}>
          <Json text={headers} />
        </Card>
      </Stack>
    </Columns>
  );
}

function Attempts({ delivery: { attempts } }: { delivery: WebhookDeliveryStoryView }) {
  const words = useWords(webhookWords);
  if (attempts.length === 0) return <p className={layout.soft}>{words.noAttempt}</p>;
  const numbered = attempts.map((attempt, at) => ({ ...attempt, number: at + 1 })).reverse();
  return (
    <ol className={styles.attempts}>
      {numbered.map((attempt) => (
        <li key={attempt.number} className={styles.attempt}>
          <Attempt attempt={attempt} />
        </li>
      ))}
    </ol>
  );
}

type Numbered = WebhookDeliveryStoryView['attempts'][number] & { number: number };

function Attempt({ attempt }: { attempt: Numbered }) {
  const words = useWords(webhookWords);
  const language = useLanguage();
  const { statusCode, error, durationMs, at, responseBody, number, fault, isManual } = attempt;
  const isGood = statusCode !== null && statusCode >= 200 && statusCode < 300;
  const errors: Readonly<Record<string, string>> = words.errors;
  const faults: Readonly<Record<string, string>> = words.faults;
  const wasSent = fault !== 'drop';
  const result =
    statusCode === null ? (errors[error ?? ''] ?? words.errors.unknown) : words.answer(statusCode);
  return (
    <>
      <div className={layout.row}>
        <strong>{words.attempt(number)}</strong>
        {wasSent && <Badge tone={isGood ? 'good' : 'bad'}>{result}</Badge>}
        {isManual && <Badge>{words.manual}</Badge>}
        {fault && <Badge>{faults[fault] ?? fault}</Badge>}
        <span className={layout.soft}>
          {words.took(count(durationMs, language))} · <Time at={at} isExact />
        </span>
      </div>
      {responseBody && <Json text={responseBody} />}
    </>
  );
}
