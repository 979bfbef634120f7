import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { buttonClass } from '../../parts/button/button.tsx';
import { Page } from '../../parts/card/card.tsx';
import { Icon } from '../../parts/icon/icon.tsx';
import { useWords } from '../../shared/language.ts';
import { methodWords, statusWords } from '../../shared/statuses.ts';
import { useZone } from '../../shared/zone.ts';
import { firstCharge } from '../developers/receiver.ts';
import { ExportLink } from '../export/export-link.tsx';
import { GuideLink } from '../guide/guide-link.tsx';
import { FilteredList } from '../lists/filtered-list.tsx';
import type { Choice } from '../lists/list-filters.tsx';
import { linkWords } from '../payment-links/words.ts';
import { useChargeColumns } from './charge-table.tsx';
import { chargeQuery, chargesQuery } from './queries.ts';
import { chargeFilters, chargesSearch } from './search.ts';
import { chargesWords } from './words.ts';

const route = getRouteApi('/frame/charges');

export function ChargesPage() {
  const words = useWords(chargesWords);
  const search = route.useSearch();
  const navigate = useNavigate();
  const choices = useChoices();
  const columns = useChargeColumns();
  const read = useQuery(chargesQuery(search, useZone()));
  const actions = (
    <>
      <ExportLink path="/v1/charges" query={chargeQuery(search)} name={words.title} />
      <NewChargeLink />
    </>
  );
  return (
    <Page title={words.title} back={search.link && <LinkOfAll id={search.link} />} actions={actions}>
      <FilteredList
        {...{ search, choices, read, columns }}
        find={{ label: words.search, hint: words.searchHint }}
        go={(next) => void navigate({ to: '/charges', search: chargesSearch(next) })}
        label={words.title}
        lines={12}
        link={(page, text, className) => (
          <Link to="/charges" search={{ ...search, page }} className={className}>
            {text}
          </Link>
        )}
        empty={{
          title: words.emptyTitle,
          text: words.emptyText,
          action: <NewChargeLink />,
          more: <GuideLink to="firstCharge" />,
          code: firstCharge(),
        }}
        none={words.noneTitle}
      />
    </Page>
  );
}

function useChoices(): Choice[] {
  const words = useWords(chargesWords);
  const statuses = useWords(statusWords).charge;
  const methods = useWords(methodWords);
  return [
    {
      ...{ name: 'status', label: words.status, all: words.all },
      options: chargeFilters.statuses.map((value) => ({ value, label: statuses[value] })),
    },
    {
      ...{ name: 'method', label: words.method, all: words.allMethods },
      options: chargeFilters.methods.map((value) => ({ value, label: methods[value] })),
    },
  ];
}

/** The payment link whose charges they all are. */
function LinkOfAll({ id }: { id: string }) {
  const { one } = useWords(linkWords);
  return (
    <Link to="/payment-links/$id" params={{ id }}>
      ← {one}
    </Link>
  );
}

function NewChargeLink() {
  const words = useWords(chargesWords);
  return (
    <Link to="/charges/new" className={buttonClass('primary')}>
      <Icon name="plus" />
      {words.create}
    </Link>
  );
}
