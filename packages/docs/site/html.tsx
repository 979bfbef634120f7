interface Props {
  html: string;
  class?: string;
}

/** Shows HTML that the builder made of our own Markdown and of the document, never of a person's input. */
export function Html({ html, ...rest }: Props) {
  return html === '' ? null : <div {...rest} dangerouslySetInnerHTML={{ __html: html }} />;
}

export function InlineHtml({ html, ...rest }: Props) {
  return html === '' ? null : <span {...rest} dangerouslySetInnerHTML={{ __html: html }} />;
}
