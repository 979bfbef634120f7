interface Props {
  html: string;
  class?: string;
}

/** What the builder has made of our own Markdown and of the document, never of what a person sent. */
export function Html({ html, ...rest }: Props) {
  return html === '' ? null : <div {...rest} dangerouslySetInnerHTML={{ __html: html }} />;
}

export function InlineHtml({ html, ...rest }: Props) {
  return html === '' ? null : <span {...rest} dangerouslySetInnerHTML={{ __html: html }} />;
}
