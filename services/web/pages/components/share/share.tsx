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
 * Sends an address by WhatsApp or, in a browser that has one, by the share sheet of the device. The words
 * of the message stay visible to the sender, who can change them.
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

/** The sheet rejects when the user closes it, which is no error. */
async function openSheet(data: Props): Promise<void> {
  await navigator.share(data).catch(() => undefined);
}
