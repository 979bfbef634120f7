interface Props {
  html: string;
  class?: string;
}

/**
 * Inserts HTML without escaping. The build makes this HTML from the repository's Markdown and the OpenAPI
 * document, never from user input.
 */
export function Html({ html, ...rest }: Props) {
  return html === '' ? null : <div {...rest} dangerouslySetInnerHTML={{ __html: html }} />;
}

export function InlineHtml({ html, ...rest }: Props) {
  return html === '' ? null : <span {...rest} dangerouslySetInnerHTML={{ __html: html }} />;
}
