import type { ListedApiKeyView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Status } from '../../components/badge/badge.tsx';
import { Button, RowButton } from '../../components/button/button.tsx';
import { Card, Page } from '../../components/card/card.tsx';
import type { Column } from '../../components/table/table.tsx';
import { Time } from '../../components/values/values.tsx';
import { useTimes } from '../../shared/clock.ts';
import { useWords } from '../../shared/language.ts';
import { DeveloperTabs } from '../developers/tabs.tsx';
import { GuideLink } from '../guide/guide-link.tsx';
import { List } from '../lists/list.tsx';
import { RevokeKey, RotateKey } from './key-dialogs.tsx';
import { apiKeysQuery } from './queries.ts';
import { useOfScopes } from './uses.ts';
import { keyWords } from './words.ts';

const NewKey = lazy(async () => ({ default: (await import('./new-key.tsx')).NewKey }));
const route = getRouteApi('/frame/developers/keys');

type Opened = { what: 'new' } | { what: 'rotate' | 'revoke'; of: ListedApiKeyView };

export function ApiKeysPage() {
  const words = useWords(keyWords);
  const [opened, open] = useState<Opened>();
  const close = () => open(undefined);
  const action = (
    <Button kind="primary" icon="plus" onClick={() => open({ what: 'new' })}>
      {words.create}
    </Button>
  );
  return (
    <Page title={words.developers} actions={action}>
      <DeveloperTabs />
      <Card isFlush>
        <List
          read={useQuery(apiKeysQuery(route.useSearch().page))}
          label={words.apiKeys}
          columns={useColumns(open)}
          lines={6}
          empty={{
            title: words.emptyTitle,
            text: words.emptyText,
            action: <Button onClick={() => open({ what: 'new' })}>{words.create}</Button>,
            more: <GuideLink to="keys" />,
          }}
        />
      </Card>
      <Suspense>{opened?.what === 'new' && <NewKey onClose={close} />}</Suspense>
      {opened?.what === 'rotate' && <RotateKey apiKey={opened.of} onClose={close} />}
      {opened?.what === 'revoke' && <RevokeKey apiKey={opened.of} onClose={close} />}
    </Page>
  );
}

function useColumns(onOpen: (opened: Opened) => void): Column<ListedApiKeyView>[] {
  const words = useWords(keyWords);
  const times = useTimes();
  return [
    { label: words.name, isWide: true, phone: 'first', cell: ({ name }) => name },
    // The column does not show the environment, because the text of a key contains the environment.
    { label: words.key, phone: 'second', cell: ({ maskedKey }) => <code>{maskedKey}</code> },
    { label: words.scopes, cell: ({ scopes }) => <Scopes of={scopes} /> },
    {
      label: words.status,
      phone: 'firstEnd',
      cell: (each) => <Status of="key" status={statusAt(each, times[each.environment])} />,
    },
    {
      label: words.until,
      phone: 'note',
      isNamed: true,
      cell: ({ expiresAt }) => expiresAt && <Time at={lastMoment(expiresAt)} />,
    },
    {
      label: words.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} isRelative /> : words.never),
    },
    {
      label: words.actions,
      isEnd: true,
      phone: 'secondEnd',
      cell: (each) =>
        statusAt(each, times[each.environment]) === 'ACTIVE' && (
          <>
            {each.replacedBy === null && (
              <RowButton
                text={words.rotate}
                label={`${words.rotate} ${each.name}`}
                onClick={() => onOpen({ what: 'rotate', of: each })}
              />
            )}
            <RowButton
              text={words.revoke}
              label={`${words.revoke} ${each.name}`}
              onClick={() => onOpen({ what: 'revoke', of: each })}
            />
          </>
        ),
    },
  ];
}

function Scopes({ of }: { of: ListedApiKeyView['scopes'] }) {
  const words = useWords(keyWords);
  const use = useOfScopes(of);
  return use ? words.uses[use] : of.map((scope) => words.scope[scope]).join(' · ');
}

/**
 * Returns the last moment before a key expires. A key that expires at midnight shows the day before, which is
 * its last day.
 */
function lastMoment(expiresAt: string): string {
  return new Date(Date.parse(expiresAt) - 1).toISOString();
}

function statusAt({ revokedAt, expiresAt }: ListedApiKeyView, now: number): string {
  if (revokedAt && new Date(revokedAt).getTime() <= now) return 'REVOKED';
  return expiresAt && new Date(expiresAt).getTime() <= now ? 'EXPIRED' : 'ACTIVE';
}
