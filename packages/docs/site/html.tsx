interface Props {
  html: string;
  class?: string;
}

/** Inserts HTML that the builder made from our own Markdown and document, never from user input. */
export function Html({ html, ...rest }: Props) {
  return html === '' ? null : <div {...rest} dangerouslySetInnerHTML={{ __html: html }} />;
}

export function InlineHtml({ html, ...rest }: Props) {
  return html === '' ? null : <span {...rest} dangerouslySetInnerHTML={{ __html: html }} />;
}
