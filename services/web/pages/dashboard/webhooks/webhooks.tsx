import type { WebhookConfigurationView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Status } from '../../components/badge/badge.tsx';
import { Button } from '../../components/button/button.tsx';
import { Card, Page } from '../../components/card/card.tsx';
import type { Column } from '../../components/table/table.tsx';
import { Time } from '../../components/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { DeveloperTabs } from '../developers/tabs.tsx';
import { GuideLink } from '../guide/guide-link.tsx';
import { RowLink } from '../lists/links.tsx';
import { List } from '../lists/list.tsx';
import { Health } from './health.tsx';
import { webhooksQuery } from './queries.ts';
import { webhookWords } from './words.ts';

const NewWebhook = lazy(async () => ({ default: (await import('./webhook-dialogs.tsx')).NewWebhook }));

export function WebhooksPage() {
  const words = useWords(webhookWords);
  const [isAdding, setAdding] = useState(false);
  const add = (
    <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
      {words.create}
    </Button>
  );
  return (
    <Page title={words.developers} actions={add}>
      <DeveloperTabs />
      <Card isFlush>
        <List
          read={useQuery(webhooksQuery)}
          label={words.webhooks}
          columns={useColumns()}
          lines={4}
          isPaged={false}
          empty={{
            title: words.emptyTitle,
            text: words.emptyText,
            action: <Button onClick={() => setAdding(true)}>{words.create}</Button>,
            more: <GuideLink to="webhooks" />,
          }}
        />
      </Card>
      <Suspense>{isAdding && <NewWebhook onClose={() => setAdding(false)} />}</Suspense>
    </Page>
  );
}

function useColumns(): Column<WebhookConfigurationView>[] {
  const words = useWords(webhookWords);
  return [
    {
      label: words.address,
      isWide: true,
      phone: 'first',
      cell: ({ id, url }) => (
        <RowLink to="/developers/webhooks/$id" id={id}>
          {url}
        </RowLink>
      ),
    },
    {
      label: words.status,
      phone: 'firstEnd',
      cell: ({ isActive }) => <Status of="webhook" status={isActive ? 'ACTIVE' : 'PAUSED'} />,
    },
    {
      label: words.events,
      phone: 'second',
      cell: ({ events }) => (events.length === 0 ? words.standardEvents : words.count(events.length)),
    },
    { label: words.health, phone: 'secondEnd', cell: ({ health }) => <Health health={health} /> },
    {
      label: words.created,
      isEnd: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ];
}
