import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Page } from '../../parts/card/card.tsx';
import { useWords } from '../../shared/language.ts';
import { methodWords, statusWords } from '../../shared/statuses.ts';
import { useZone } from '../../shared/zone.ts';
import { firstCharge } from '../developers/receiver.ts';
import { ExportLink } from '../export/export-link.tsx';
import { GuideLink } from '../guide/guide-link.tsx';
import { FilteredList } from '../lists/filtered-list.tsx';
import { CreateLink } from '../lists/links.tsx';
import { choiceOf } from '../lists/list-filters.tsx';
import { useChargeColumns } from './charge-table.tsx';
import { chargeQuery, chargesQuery } from './queries.ts';
import { chargeFilters } from './search.ts';
import { chargesWords } from './words.ts';

const route = getRouteApi('/frame/charges');

export function ChargesPage() {
  const words = useWords(chargesWords);
  const search = route.useSearch();
  const choices = useChoices();
  const columns = useChargeColumns();
  const read = useQuery(chargesQuery(search, useZone()));
  const create = <CreateLink to="/charges/new" text={words.newCharge} />;
  const actions = (
    <>
      <ExportLink path="/v1/charges" query={chargeQuery(search)} name={words.charges} />
      {create}
    </>
  );
  return (
    <Page title={words.charges} back={search.link && <LinkOfAll id={search.link} />} actions={actions}>
      <FilteredList
        {...{ choices, read, columns }}
        find={{ label: words.search, hint: words.searchHint }}
        label={words.charges}
        lines={12}
        empty={{
          title: words.emptyTitle,
          text: words.emptyText,
          action: create,
          more: <GuideLink to="firstCharge" />,
          code: firstCharge(),
        }}
        none={words.noneTitle}
      />
    </Page>
  );
}

function useChoices() {
  const words = useWords(chargesWords);
  const { status, method } = chargeFilters;
  return [
    choiceOf({ name: 'status', label: words.status, all: words.all }, status, useWords(statusWords).charge),
    choiceOf({ name: 'method', label: words.method, all: words.allMethods }, method, useWords(methodWords)),
  ];
}

/** Leads back to the payment link that made all charges of the list. */
function LinkOfAll({ id }: { id: string }) {
  const { paymentLink } = useWords(chargesWords);
  return (
    <Link to="/payment-links/$id" params={{ id }}>
      ← {paymentLink}
    </Link>
  );
}
