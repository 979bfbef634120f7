import { addressOf, type Content, type Page, type PageLink, type Surroundings } from '../src/model.ts';
import { Html } from './html.tsx';
import { words } from './words.ts';

interface Props {
  page: Page;
  content: Extract<Content, { kind: 'guide' }>;
  around: Surroundings;
}

export function Guide({ page, content, around }: Props) {
  return (
    <>
      <main id="content" tabindex={-1}>
        <article>
          <h1>{page.title}</h1>
          <p class="lead">{page.description}</p>
          <Html class="prose" html={content.html} />
          <Neighbours page={page} around={around} />
        </article>
      </main>
      <Contents page={page} headings={content.headings} />
    </>
  );
}

function Contents({ page, headings }: { page: Page; headings: Props['content']['headings'] }) {
  if (headings.length < 2) return <div class="contents" />;
  return (
    <nav class="contents" aria-labelledby="contents-title">
      <h2 id="contents-title">{words[page.language].onThisPage}</h2>
      <ul>
        {headings
          .filter(({ level }) => level <= 3)
          .map(({ id, text, level }) => (
            <li key={id} class={`level-${level}`}>
              <a href={`#${id}`}>{text}</a>
            </li>
          ))}
      </ul>
    </nav>
  );
}

function Neighbours({ page, around }: { page: Page; around: Surroundings }) {
  const all = around.groups.flatMap(({ pages }) => pages);
  const index = all.findIndex(({ slug }) => slug === page.slug);
  const say = words[page.language];
  const link = (to: PageLink | undefined, word: string, rel: string) =>
    to && (
      <a href={addressOf(page.language, to.slug)} rel={rel}>
        <span class="soft">{word}</span>
        {to.title}
      </a>
    );
  return (
    <footer class="neighbours">
      {link(index > 0 ? all[index - 1] : undefined, say.previous, 'prev')}
      {link(all[index + 1], say.next, 'next')}
      <p>
        <a href={`${addressOf(page.language, page.slug)}.md`}>{say.asMarkdown}</a>
      </p>
    </footer>
  );
}
