import { useWords } from '../../shared/language.ts';
import { Button, buttonClass } from '../button/button.tsx';
import { Icon } from '../icon/icon.tsx';
import { partWords } from '../words.ts';

interface Props {
  /** The text before the address in the message. */
  text: string;
  url: string;
}

/**
 * Shares an address by WhatsApp, or by the device's share sheet if the browser supports it. The sender can
 * change the message before sending.
 */
export function Share({ text, url }: Props) {
  const words = useWords(partWords);
  const message = new URLSearchParams({ text: `${text}: ${url}` });
  return (
    <>
      <a
        href={`https://wa.me/?${message}`}
        target="_blank"
        rel="noreferrer"
        className={buttonClass('plain', 'small')}
      >
        <Icon name="message" />
        {words.whatsApp}
      </a>
      {'share' in navigator && (
        <Button size="small" icon="share" onClick={() => void openSheet({ text, url })}>
          {words.share}
        </Button>
      )}
    </>
  );
}

/** The promise rejects when the user closes the sheet, which is no error. */
async function openSheet(data: Props): Promise<void> {
  await navigator.share(data).catch(() => undefined);
}
