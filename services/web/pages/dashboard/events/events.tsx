import type { EventView } from '@plataforma/contracts';
import type { TimeZone } from '@plataforma/kernel';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { RowButton } from '../../components/button/button.tsx';
import { Page } from '../../components/card/card.tsx';
import { periodQuery } from '../../components/date-range/date-range.tsx';
import type { Column } from '../../components/table/table.tsx';
import { Time } from '../../components/values/values.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { useZone } from '../../shared/zone.ts';
import { DeveloperTabs } from '../developers/tabs.tsx';
import { FilteredList } from '../lists/filtered-list.tsx';
import { listQuery } from '../lists/list-query.ts';
import { type eventsSearch, eventTypes } from '../searches.ts';
import { EventDialog } from './event-dialog.tsx';
import { eventWords } from './words.ts';

type Search = ReturnType<typeof eventsSearch>;

function eventsQuery({ event, from, to, page = 1 }: Search, timeZone: TimeZone) {
  const query = { event, ...periodQuery({ from, to }), timeZone, page };
  return listQuery({ key: ['event', query], read: () => call('GET /v1/events', { query }), poll: true });
}

const route = getRouteApi('/frame/developers/events');

export function EventsPage() {
  const words = useWords(eventWords);
  const search = route.useSearch();
  const [shown, show] = useState<EventView>();
  return (
    <Page title={words.developers}>
      <DeveloperTabs />
      <FilteredList
        read={useQuery(eventsQuery(search, useZone()))}
        label={words.events}
        columns={useColumns(show)}
        choices={[{ name: 'event', label: words.event, all: words.allEvents, values: eventTypes }]}
        words={words}
        guide="feed"
      />
      {shown && <EventDialog event={shown} onClose={() => show(undefined)} />}
    </Page>
  );
}

function useColumns(onShow: (event: EventView) => void): Column<EventView>[] {
  const words = useWords(eventWords);
  return [
    { label: words.event, phone: 'first', cell: ({ event }) => event },
    { label: words.object, isWide: true, cell: ({ resourceId }) => <code>{resourceId}</code> },
    { label: words.at, phone: 'second', cell: ({ createdAt }) => <Time at={createdAt} isRelative /> },
    {
      label: words.content,
      isEnd: true,
      phone: 'firstEnd',
      cell: (each) => (
        <RowButton text={words.json} label={`${words.json}: ${each.event}`} onClick={() => onShow(each)} />
      ),
    },
  ];
}
