import {
  type Answer,
  addressOf,
  type Content,
  type Endpoint,
  type Field,
  type Language,
  type Page,
} from '../src/model.ts';
import { ErrorTable } from './errors.tsx';
import { Fields } from './fields.tsx';
import { Html, InlineHtml } from './html.tsx';
import { words } from './words.ts';

interface Props {
  page: Page;
  content: Extract<Content, { kind: 'resource' }>;
}

/**
 * The page of a resource: each endpoint next to its code samples, and the objects that the endpoints return.
 */
export function Resource({ page, content }: Props) {
  const { language } = page;
  const say = words[language];
  return (
    <main id="content" tabindex={-1} class="reference">
      <h1>{page.title}</h1>
      <nav class="endpoints" aria-label={say.endpoints}>
        <ul>
          {content.endpoints.map(({ name, method, path, summary }) => (
            <li key={name}>
              <a href={`#${name}`}>
                <Method method={method} />
                <code>{path}</code>
                <span>{summary}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {content.endpoints.map((endpoint) => (
        <EndpointSection key={endpoint.name} endpoint={endpoint} language={language} />
      ))}
      {content.objects.length > 0 && <h2 id="objects">{say.objects}</h2>}
      {content.objects.map(({ name, fields }) => (
        <section key={name} class="object" aria-labelledby={name}>
          <h3 id={name}>
            <a href={`#${name}`}>{name}</a>
          </h3>
          <Fields fields={fields} language={language} />
        </section>
      ))}
    </main>
  );
}

function EndpointSection({ endpoint, language }: { endpoint: Endpoint; language: Language }) {
  const { name, method, path, summary, description, answers, errors, samples } = endpoint;
  const say = words[language];
  return (
    <section class="endpoint" aria-labelledby={name}>
      <div class="said">
        <h2 id={name}>
          <a href={`#${name}`}>{summary}</a>
        </h2>
        <p class="line">
          <Method method={method} />
          <code>{path}</code>
        </p>
        <Needs endpoint={endpoint} language={language} />
        <Html html={description} class="prose" />
        <Part title={say.path} fields={endpoint.params} language={language} />
        <Part title={say.query} fields={endpoint.query} language={language} isFolded />
        <Bodies endpoint={endpoint} language={language} />
        <h3>{answers.length > 1 ? say.answers : say.answer}</h3>
        {answers.map((answer) => (
          <AnswerPart key={answer.status} answer={answer} language={language} />
        ))}
        <details class="errors">
          <summary>
            {say.errors} <span class="soft">({errors.length})</span>
          </summary>
          <ErrorTable errors={errors} language={language} />
        </details>
      </div>
      <div class="shown">
        <Html html={samples} />
        <Html html={endpoint.examples} class="example" />
      </div>
    </section>
  );
}

function Method({ method }: { method: string }) {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>;
}

function Needs({ endpoint, language }: { endpoint: Endpoint; language: Language }) {
  const { access, anyOf, isKeyed, isPaged } = endpoint;
  const say = words[language];
  const scoped = access === 'operator' ? say.roles : say.key;
  return (
    <p class="needs">
      <span>{anyOf.length > 0 ? scoped : access === 'merchant' ? say.anyKey : say.access[access]}</span>
      {anyOf.map((each) => (
        <code key={each}>{each}</code>
      ))}
      {isKeyed && <span>{say.keyed}</span>}
      {isPaged && <span>{say.paged}</span>}
    </p>
  );
}

function Part(props: { title: string; fields: readonly Field[]; language: Language; isFolded?: boolean }) {
  const { title, fields, language, isFolded } = props;
  if (fields.length === 0) return null;
  const isLong = isFolded && fields.length > 4;
  if (!isLong)
    return (
      <>
        <h3>{title}</h3>
        <Fields fields={fields} language={language} />
      </>
    );
  return (
    <details>
      <summary>
        {title} <span class="soft">({fields.length})</span>
      </summary>
      <Fields fields={fields} language={language} />
    </details>
  );
}

/**
 * Shows the fields of a request's body. If the body can have several shapes, each is shown under its name,
 * and only the first one is unfolded.
 */
function Bodies({ endpoint: { body }, language }: { endpoint: Endpoint; language: Language }) {
  const title = words[language].body;
  const [only] = body;
  if (!only) return null;
  if (body.length === 1) return <Part title={title} fields={only.fields} language={language} />;
  return (
    <>
      <h3>{title}</h3>
      {body.map(({ name, fields }, index) => (
        <details key={name} open={index === 0}>
          <summary>
            <code>{name}</code>
          </summary>
          <Fields fields={fields} language={language} />
        </details>
      ))}
    </>
  );
}

function AnswerPart({ answer, language }: { answer: Answer; language: Language }) {
  const { status, description, object, fields } = answer;
  const say = words[language];
  return (
    <div class="answer">
      <p>
        <span class="status">{status}</span>{' '}
        {object && (
          <>
            {object.isList ? say.listOf : say.an}{' '}
            <a href={`${addressOf(language, object.slug)}#${object.name}`}>
              <code>{object.name}</code>
            </a>
            .{' '}
          </>
        )}
        {!object && fields.length === 0 && say.noData} <InlineHtml html={description} />
      </p>
      {fields.length > 0 && <Fields fields={fields} language={language} />}
    </div>
  );
}
