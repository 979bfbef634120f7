import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Card } from '../../components/card/card.tsx';
import { useWords } from '../../shared/language.ts';
import { useZone } from '../../shared/zone.ts';
import { useChargeColumns } from '../charges/charge-table.tsx';
import { chargesQuery } from '../charges/queries.ts';
import { chargesWords } from '../charges/words.ts';
import { List } from '../lists/list.tsx';
import { oneLinkWords } from './words.ts';

export function LinkCharges({ id }: { id: string }) {
  const words = useWords(oneLinkWords);
  const { order, net } = useWords(chargesWords);
  const columns = useChargeColumns().filter(({ label }) => label !== order && label !== net);
  const read = useQuery(chargesQuery({ link: id }, useZone()));
  const toAll = (
    <Link to="/charges" search={{ link: id }}>
      {words.viewAll}
    </Link>
  );
  return (
    <Card title={words.linkCharges} action={read.data?.data.length !== 0 && toAll} isFlush>
      <List
        read={read}
        label={words.linkCharges}
        columns={columns}
        isPaged={false}
        empty={{ title: words.noCharges, text: words.noChargesText }}
      />
    </Card>
  );
}
