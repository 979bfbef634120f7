import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Page } from '../../components/card/card.tsx';
import { useWords } from '../../shared/language.ts';
import { statusWords } from '../../shared/statuses.ts';
import { useZone } from '../../shared/zone.ts';
import { useHasKey } from '../api-keys/has-key.ts';
import { firstCharge } from '../developers/receiver.ts';
import { ExportLink } from '../export/export-link.tsx';
import { FilteredList } from '../lists/filtered-list.tsx';
import { CreateLink } from '../lists/links.tsx';
import { useChargeColumns } from './charge-table.tsx';
import { chargeQuery, chargesQuery, useChargeMethods } from './queries.ts';
import { chargesWords } from './words.ts';

const route = getRouteApi('/frame/charges');

export function ChargesPage() {
  const words = useWords(chargesWords);
  const search = route.useSearch();
  const create = <CreateLink to="/charges/new" text={words.newCharge} />;
  const back = search.link && (
    <Link to="/payment-links/$id" params={{ id: search.link }}>
      ← {words.paymentLink}
    </Link>
  );
  const actions = (
    <>
      <ExportLink path="/v1/charges" query={chargeQuery(search)} name={words.charges} />
      {create}
    </>
  );
  return (
    <Page title={words.charges} back={back} actions={actions}>
      <FilteredList
        read={useQuery(chargesQuery(search, useZone()))}
        label={words.charges}
        columns={useChargeColumns()}
        choices={[
          { name: 'status', label: words.status, all: words.all, values: useWords(statusWords).charge },
          {
            name: 'method',
            label: words.method,
            all: words.allMethods,
            values: useChargeMethods(search.method),
          },
        ]}
        lines={12}
        words={words}
        action={create}
        guide="firstCharge"
        code={useHasKey() ? firstCharge() : undefined}
      />
    </Page>
  );
}
