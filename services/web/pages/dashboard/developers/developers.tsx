import type { WebhookConfigurationView } from '@plataforma/contracts';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Button, buttonClass } from '../../components/button/button.tsx';
import { Card, Page, Stack } from '../../components/card/card.tsx';
import { Json } from '../../components/json/json.tsx';
import layout from '../../components/layout.module.css';
import { environment } from '../../shared/api.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { GuideLink } from '../guide/guide-link.tsx';
import styles from './developers.module.css';
import { firstCharge, RECEIVER, RECEIVER_URL, runReceiver } from './receiver.ts';
import { DeveloperTabs } from './tabs.tsx';
import { developerWords } from './words.ts';

const NewKey = lazy(async () => ({ default: (await import('../api-keys/new-key.tsx')).NewKey }));
const NewWebhook = lazy(async () => ({
  default: (await import('../webhooks/webhook-dialogs.tsx')).NewWebhook,
}));

type MadeWebhook = Pick<WebhookConfigurationView, 'id'> & { secret: string };

/**
 * The steps to a first payment and to its webhook. Until the user leaves the page, the code samples contain
 * the API key and the webhook secret that the user created there.
 */
export function DevelopersPage() {
  const { developers } = useWords(developerWords);
  return (
    <Page title={developers}>
      <DeveloperTabs />
      <Stack>
        <KeyAndCharge />
        <Hook />
        <Tools />
      </Stack>
    </Page>
  );
}

function KeyAndCharge() {
  const words = useWords(developerWords);
  const [isOpen, setOpen] = useState(false);
  const [key, setKey] = useState<string>();
  const toKey = (
    <Button kind={key ? 'plain' : 'primary'} size="small" onClick={() => setOpen(true)}>
      {words.toKeys}
    </Button>
  );
  const toCharges = (
    <Link to="/charges" search={{}} className={buttonClass('plain', 'small')}>
      {words.toCharges}
    </Link>
  );
  return (
    <>
      <Step title={words.key} text={key ? words.keyDone : words.keyText} action={toKey} />
      <Step
        title={words.chargeStep}
        text={key === undefined ? words.keyMissing : words.keyReady}
        action={toCharges}
      >
        <Json text={firstCharge(key)} />
        <Text>{environment === 'sandbox' ? words.payTest : words.payLive}</Text>
      </Step>
      <Suspense>{isOpen && <NewKey onMade={setKey} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

function Hook() {
  const words = useWords(developerWords);
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<MadeWebhook>();
  const url = environment === 'sandbox' ? RECEIVER_URL : undefined;
  const toHook = (
    <Button kind={made ? 'plain' : 'primary'} size="small" onClick={() => setOpen(true)}>
      {words.toHooks}
    </Button>
  );
  return (
    <>
      <Step title={words.hook} text={words.hookText(RECEIVER_URL)} action={toHook} />
      <Step title={words.receiver} text={words.receiverText}>
        <GuideLink to="verify" />
        <Json text={RECEIVER} />
        <Text>{made ? words.secretReady : words.secretMissing}</Text>
        <Json text={runReceiver(made?.secret)} />
      </Step>
      <Step title={words.test} text={words.testText} action={<ToTest id={made?.id} />} />
      <Suspense>
        {isOpen && <NewWebhook url={url} onMade={setMade} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}

/** Links to tools with which a merchant needs less code of its own. */
function Tools() {
  const words = useWords(developerWords);
  const language = useLanguage();
  const toDownloads = (
    <a href={`/downloads/?lang=${language}`} className={buttonClass('plain', 'small')}>
      {words.toDownloads}
    </a>
  );
  return (
    <Step title={words.tools} text={words.toolsText} action={toDownloads}>
      <div className={styles.links}>
        <GuideLink to="sdk" />
        <GuideLink to="cli" />
        <GuideLink to="mcp" />
      </div>
    </Step>
  );
}

/** A link to the webhook that the user created on this page, or else to the list of webhooks. */
function ToTest({ id }: { id: string | undefined }) {
  const words = useWords(developerWords);
  if (id === undefined) {
    return (
      <Link to="/developers/webhooks" className={buttonClass('plain', 'small')}>
        {words.toTest}
      </Link>
    );
  }
  return (
    <Link to="/developers/webhooks/$id" params={{ id }} className={buttonClass('primary', 'small')}>
      {words.toTest}
    </Link>
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
      <div className={layout.column}>
        <Text>{text}</Text>
        {children}
      </div>
    </Card>
  );
}

function Text({ children }: { children: ReactNode }) {
  return <p className={styles.text}>{children}</p>;
}
