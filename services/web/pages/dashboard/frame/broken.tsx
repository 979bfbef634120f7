import { Button, buttonClass } from '../../parts/button/button.tsx';
import { Empty } from '../../parts/states/states.tsx';
import { useWords } from '../../shared/language.ts';
import { frameWords } from './words.ts';

export function NotFound() {
  const words = useWords(frameWords);
  const action = (
    <a href="/" className={buttonClass()}>
      {words.toHome}
    </a>
  );
  return <Empty title={words.missing} text={words.missingText} action={action} />;
}

export function Broken() {
  const words = useWords(frameWords);
  const action = <Button onClick={() => location.reload()}>{words.reload}</Button>;
  return <Empty title={words.broken} text={words.brokenText} action={action} />;
}
