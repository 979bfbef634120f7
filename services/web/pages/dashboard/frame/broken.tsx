import { Button, buttonClass } from '../../components/button/button.tsx';
import { Card, Page } from '../../components/card/card.tsx';
import layout from '../../components/layout.module.css';
import { Empty } from '../../components/states/states.tsx';
import { SupportText } from '../../components/support-text/support-text.tsx';
import { environment } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { frameWords } from './words.ts';

export function NotFound() {
  const words = useWords(frameWords);
  const action = (
    <a href={environment === 'sandbox' ? '/test' : '/'} className={buttonClass('primary')}>
      {words.toHome}
    </a>
  );
  return (
    <Page title={words.missing}>
      <Card>
        <div className={layout.stack}>
          <p>{words.missingText}</p>
          <div>{action}</div>
        </div>
      </Card>
    </Page>
  );
}

export function Broken() {
  const words = useWords(frameWords);
  const action = <Button onClick={() => location.reload()}>{words.reload}</Button>;
  return <Empty title={words.broken} text={<SupportText text={words.brokenText} />} action={action} />;
}
