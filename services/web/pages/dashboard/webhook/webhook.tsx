import type { WebhookConfigurationView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { Status } from '../../components/badge/badge.tsx';
import { Card, Page } from '../../components/card/card.tsx';
import { Details } from '../../components/details/details.tsx';
import { Notice } from '../../components/states/states.tsx';
import { Time } from '../../components/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { NotFound } from '../frame/broken.tsx';
import { Read } from '../read.tsx';
import { Health } from '../webhooks/health.tsx';
import { webhooksQuery } from '../webhooks/queries.ts';
import { webhookWords } from '../webhooks/words.ts';
import { Deliveries } from './deliveries.tsx';
import { WebhookActions } from './webhook-actions.tsx';

const route = getRouteApi('/frame/developers/webhooks/$id');

/**
 * The page of one webhook. The page finds the webhook in the list, which is complete because an account has
 * at most five webhooks.
 */
export function WebhookPage() {
  const words = useWords(webhookWords);
  const { id } = route.useParams();
  const read = useQuery(webhooksQuery);
  const webhook = read.data?.data.find((each) => each.id === id);
  const back = <Link to="/developers/webhooks">← {words.webhooks}</Link>;
  if (read.data && !webhook) return <NotFound />;
  return (
    <Page
      title={webhook ? <Address url={webhook.url} /> : words.webhooks}
      name={webhook && `Webhook ${webhook.url}`}
      back={back}
      beside={webhook && <Status of="webhook" status={webhook.isActive ? 'ACTIVE' : 'PAUSED'} />}
      actions={webhook && <WebhookActions webhook={webhook} />}
    >
      {webhook?.isActive && webhook.health === 'failing' && <Notice tone="bad">{words.failingText}</Notice>}
      <Card>
        <Read of={read} lines={4}>
          {() => webhook && <Settings webhook={webhook} />}
        </Read>
      </Card>
      <Deliveries webhookId={id} />
    </Page>
  );
}

/** Shows an address that can break into a new line after each slash. */
function Address({ url }: { url: string }) {
  const segments = url.split(/(?<=\/)/);
  return segments.map((part, at) => (
    <Fragment key={segments.slice(0, at).join('')}>
      {part}
      <wbr />
    </Fragment>
  ));
}

function Settings({ webhook }: { webhook: WebhookConfigurationView }) {
  const words = useWords(webhookWords);
  const { events, signatureVersion, retrySchedule, createdAt, id } = webhook;
  return (
    <Details
      details={[
        { label: words.health, value: <Health health={webhook.health} /> },
        { label: words.events, value: events.length === 0 ? words.standardEvents : events.join(', ') },
        { label: words.signatureVersion, value: words.signatures[signatureVersion] },
        { label: words.retrySchedule, value: words.schedules[retrySchedule] },
        { label: words.created, value: <Time at={createdAt} /> },
        { label: 'ID', value: id, copy: id },
      ]}
    />
  );
}
