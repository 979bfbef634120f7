import { addressOf, type Content, type ErrorRow, type Language, type Page } from '../src/model.ts';
import { InlineHtml } from './html.tsx';

/** Shows the errors of an endpoint. Each error code links to the page of all errors. */
export function ErrorTable({ errors, language }: { errors: readonly ErrorRow[]; language: Language }) {
  return (
    <ul class="error-list">
      {errors.map(({ code, status, when }) => (
        <li key={code}>
          <span class="status">{status}</span>
          <a href={`${addressOf(language, 'reference/errors')}#${code}`}>
            <code>{code}</code>
          </a>
          <InlineHtml html={when} />
        </li>
      ))}
    </ul>
  );
}

export function Errors({ page, content }: { page: Page; content: Extract<Content, { kind: 'errors' }> }) {
  return (
    <main id="content" tabindex={-1}>
      <h1>{page.title}</h1>
      <p class="lead">{page.description}</p>
      <dl class="catalogue">
        {content.errors.map(({ code, status, when }) => (
          <div key={code} id={code}>
            <dt>
              <span class="status">{status}</span>
              <a href={`#${code}`}>
                <code>{code}</code>
              </a>
            </dt>
            <dd>
              <InlineHtml html={when} />
            </dd>
          </div>
        ))}
      </dl>
    </main>
  );
}
