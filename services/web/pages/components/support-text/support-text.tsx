import { supportUrl } from '../../shared/addresses.ts';

/** The word for the support in a text. In English, `support` is also a verb. */
const SUPPORT = /\bsuporte\b|(?<=\b(?:contact|ask|to) )support\b/i;

/** Shows a text in which the word for the support is a link, if the installation has set an address. */
export function SupportText({ text }: { text: string }) {
  const url = supportUrl();
  const found = url === null ? null : SUPPORT.exec(text);
  if (url === null || found === null) return text;
  return (
    <>
      {text.slice(0, found.index)}
      <a href={url} target="_blank" rel="noreferrer">
        {found[0]}
      </a>
      {text.slice(found.index + found[0].length)}
    </>
  );
}
