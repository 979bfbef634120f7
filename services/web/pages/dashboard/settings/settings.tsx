import type { AccountView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../components/badge/badge.tsx';
import { Card, Columns, Page, Stack } from '../../components/card/card.tsx';
import { Details } from '../../components/details/details.tsx';
import { SupportText } from '../../components/support-text/support-text.tsx';
import { Time } from '../../components/values/values.tsx';
import { documentText } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { statusWords, type Tone } from '../../shared/statuses.ts';
import { Read } from '../read.tsx';
import { accountQuery } from '../session/session.ts';
import { DaysForm, PhoneForm } from './account-forms.tsx';
import { AppearanceForm } from './appearance-form.tsx';
import { Fees, Limits } from './fees-and-limits.tsx';
import { PasswordForm } from './password-form.tsx';
import { Sessions } from './sessions.tsx';
import styles from './settings.module.css';
import { settingsWords } from './words.ts';

export function SettingsPage() {
  const words = useWords(settingsWords);
  const read = useQuery(accountQuery);
  return (
    <Page title={words.settings}>
      <Read of={read} lines={10}>
        {(account) => (
          <Columns>
            <Stack>
              <Company account={account} />
              <Card title={words.paymentPage}>
                <AppearanceForm colour={account.checkoutColor} name={account.companyName} />
              </Card>
              <Card title={words.contact}>
                <PhoneForm phone={account.phone} />
              </Card>
              <Card title={words.times}>
                <DaysForm timeZone={account.timeZone} />
              </Card>
            </Stack>
            <Stack>
              <Fees account={account} />
              <Limits account={account} />
              <Card title={words.password}>
                <PasswordForm email={account.email} />
              </Card>
            </Stack>
          </Columns>
        )}
      </Read>
      <Sessions />
    </Page>
  );
}

const tones: Record<AccountView['status'], Tone> = {
  PENDING: 'warn',
  APPROVED: 'good',
  REJECTED: 'bad',
  SUSPENDED: 'bad',
};

function Company({ account }: { account: AccountView }) {
  const words = useWords(settingsWords);
  const { account: statuses } = useWords(statusWords);
  const { companyName, cnpj, email, status, createdAt } = account;
  return (
    <Card title={words.company}>
      <Details
        details={[
          { label: words.name, value: companyName },
          { label: words.cnpj, value: documentText(cnpj), copy: cnpj },
          { label: words.email, value: email },
          { label: words.status, value: <Badge tone={tones[status]}>{statuses[status]}</Badge> },
          { label: words.since, value: <Time at={createdAt} /> },
        ]}
      />
      <p className={styles.soft}>
        <SupportText text={words.companyNote} />
      </p>
    </Card>
  );
}
