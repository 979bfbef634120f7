import type { DestinationView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Button, IconButton } from '../../components/button/button.tsx';
import { Card, Page } from '../../components/card/card.tsx';
import { Notice } from '../../components/states/states.tsx';
import type { Column } from '../../components/table/table.tsx';
import { Time } from '../../components/values/values.tsx';
import { call, environment } from '../../shared/api.ts';
import { useNow } from '../../shared/clock.ts';
import { useWords } from '../../shared/language.ts';
import { ConfirmChange } from '../changes/confirm-change.tsx';
import { GuideLink } from '../guide/guide-link.tsx';
import { BackLink } from '../lists/links.tsx';
import { List } from '../lists/list.tsx';
import { useAccount } from '../session/session.ts';
import { useDestinationText } from './destination-text.ts';
import { destinationsQuery } from './queries.ts';
import { destinationWords } from './words.ts';

/** The dialog is loaded when it opens, because its schema would make the page's script larger. */
const NewDestination = lazy(async () => ({
  default: (await import('./new-destination.tsx')).NewDestination,
}));

const HOUR_MS = 3_600_000;
const route = getRouteApi('/frame/destinations');

export function DestinationsPage() {
  const words = useWords(destinationWords);
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<DestinationView>();
  const hours = useAccount()?.limits.destinationCooldownHours ?? 0;
  const add = () => setAdding(true);
  const back = <BackLink to="/withdrawals" text={words.withdrawals} />;
  const action = (
    <Button kind="primary" icon="plus" onClick={add}>
      {words.add}
    </Button>
  );
  return (
    <Page title={words.destinations} back={back} actions={action}>
      {hours > 0 && environment === 'production' && <Notice>{words.cooldown(hours)}</Notice>}
      <Card isFlush>
        <List
          read={useQuery(destinationsQuery(route.useSearch().page))}
          label={words.destinations}
          columns={useColumns(setRemoved)}
          lines={6}
          empty={{
            title: words.noDestinations,
            text: words.emptyText,
            action: <Button onClick={add}>{words.add}</Button>,
            more: <GuideLink to="destinations" />,
          }}
        />
      </Card>
      <Suspense>{isAdding && <NewDestination onClose={() => setAdding(false)} />}</Suspense>
      {removed && <RemoveDialog destination={removed} onClose={() => setRemoved(undefined)} />}
    </Page>
  );
}

function useColumns(onRemove: (destination: DestinationView) => void): Column<DestinationView>[] {
  const words = useWords(destinationWords);
  const toText = useDestinationText();
  return [
    { label: words.label, phone: 'first', cell: nameOf },
    { label: words.kind, cell: (each) => kindOf(each, words) },
    { label: words.where, phone: 'second', isWide: true, cell: toText },
    { label: words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    ...(environment === 'production'
      ? [{ label: words.usable, cell: (each: DestinationView) => <Usable since={each.createdAt} /> }]
      : []),
    {
      label: words.remove,
      isEnd: true,
      phone: 'firstEnd',
      cell: (each) => (
        <IconButton icon="trash" label={`${words.remove} ${toText(each)}`} onClick={() => onRemove(each)} />
      ),
    },
  ];
}

type Words = ReturnType<typeof useWords<(typeof destinationWords)['pt-BR']>>;

function kindOf(destination: DestinationView, words: Pick<Words, 'bankAccount' | 'keyTypes'>): string {
  return destination.type === 'PIX' ? words.keyTypes[destination.pixKeyType] : words.bankAccount;
}

/** Returns the destination's label or, for a bank account without a label, the name of its holder. */
function nameOf(destination: DestinationView): string {
  return destination.label ?? (destination.type === 'PIX' ? '—' : destination.holderName);
}

function Usable({ since }: { since: string }) {
  const words = useWords(destinationWords);
  const hours = useAccount()?.limits.destinationCooldownHours ?? 0;
  const from = new Date(since).getTime() + hours * HOUR_MS;
  if (from <= useNow()) return words.since;
  return (
    <>
      {words.from} <Time at={new Date(from).toISOString()} />
    </>
  );
}

function RemoveDialog({ destination, onClose }: { destination: DestinationView; onClose: () => void }) {
  const words = useWords(destinationWords);
  return (
    <ConfirmChange
      send={() => call('DELETE /v1/destinations/:id', { params: { id: destination.id } })}
      changes={['destination']}
      done={words.removed}
      title={words.removeTitle}
      action={words.remove}
      isDangerous
      onClose={onClose}
    >
      {words.removeText}
    </ConfirmChange>
  );
}
