import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../../parts/button/button.tsx';
import { Card, Page, Stack } from '../../parts/card/card.tsx';
import { Json } from '../../parts/json/json.tsx';
import { useWords } from '../../shared/language.ts';
import { apiUrl } from './api-url.ts';
import styles from './developers.module.css';
import { firstCharge, RECEIVER, RUN_RECEIVER } from './receiver.ts';
import { DeveloperTabs } from './tabs.tsx';
import { developerWords } from './words.ts';

export function DevelopersPage() {
  const words = useWords(developerWords);
  const toKeys = (
    <Link to="/developers/keys" className={buttonClass('plain', 'small')}>
      {words.toKeys}
    </Link>
  );
  const toHooks = (
    <Link to="/developers/webhooks" className={buttonClass('plain', 'small')}>
      {words.toHooks}
    </Link>
  );
  return (
    <Page title={words.title}>
      <DeveloperTabs />
      <Stack>
        <Step title={words.key} text={words.keyText} action={toKeys} />
        <Step title={words.charge} text={words.chargeText}>
          <Json text={firstCharge(apiUrl())} />
        </Step>
        <Step title={words.hook} text={words.hookText} action={toHooks}>
          <Json text={RECEIVER} />
          <p className={styles.text}>{words.run}</p>
          <Json text={RUN_RECEIVER} />
        </Step>
      </Stack>
    </Page>
  );
}

interface StepProps {
  title: string;
  text: string;
  action?: ReactNode;
  children?: ReactNode;
}

function Step({ title, text, action, children }: StepProps) {
  return (
    <Card title={title} action={action}>
      <div className={styles.step}>
        <p className={styles.text}>{text}</p>
        {children}
      </div>
    </Card>
  );
}
