import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Card, Columns, Page, Stack } from '../../components/card/card.tsx';
import { useWords } from '../../shared/language.ts';
import { GuideLink } from '../guide/guide-link.tsx';
import { Read } from '../read.tsx';
import { Clock } from './clock.tsx';
import { Faults } from './faults.tsx';
import { ProviderFaultsForm } from './provider-faults-form.tsx';
import { providerFaultsQuery } from './queries.ts';
import styles from './sandbox.module.css';
import { sandboxWords } from './words.ts';

export function SandboxPage() {
  const words = useWords(sandboxWords);
  const faults = useQuery(providerFaultsQuery);
  return (
    <Page title={words.title}>
      <Columns>
        <Stack>
          <Card title={words.providerFaults} action={<GuideLink to="providers" isShort />}>
            <p className={styles.text}>{words.providerFaultsText}</p>
            <Read of={faults} lines={6}>
              {(shown) => <ProviderFaultsForm key={JSON.stringify(shown)} faults={shown} />}
            </Read>
          </Card>
          <Clock />
        </Stack>
        <Stack>
          <Faults />
          <Card title={words.objects} action={<GuideLink to="payers" isShort />}>
            <p className={styles.text}>{words.objectsText}</p>
            <p className={styles.links}>
              <Link to="/charges" search={{}}>
                {words.charges}
              </Link>
              <Link to="/disputes" search={{}}>
                {words.disputes}
              </Link>
              <Link to="/withdrawals" search={{}}>
                {words.withdrawals}
              </Link>
            </p>
          </Card>
        </Stack>
      </Columns>
    </Page>
  );
}
