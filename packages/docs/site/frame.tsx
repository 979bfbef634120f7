import type { ComponentChildren } from 'preact';
import { addressOf, type Language, type Page, type Surroundings } from '../src/model.ts';
import { Icon } from './icon.tsx';
import { words } from './words.ts';

interface Props {
  page: Page;
  around: Surroundings;
}

export function Document({ page, around, children }: Props & { children: ComponentChildren }) {
  const { language, slug, title } = page;
  const say = words[language];
  const { assets } = around;
  return (
    <html lang={say.lang}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{slug === '' ? `Plataforma: ${say.name}` : `${title} · Plataforma`}</title>
        <meta name="description" content={page.description} />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <link rel="preload" href={assets.font} as="font" type="font/woff2" crossOrigin="anonymous" />
        <script src={assets.begin} />
        <link rel="stylesheet" href={assets.style} />
        <link rel="alternate" hreflang={words[otherOf(language)].lang} href={otherAddress(page, around)} />
        {hasMarkdown(page) && (
          <link rel="alternate" type="text/markdown" href={`${addressOf(language, slug)}.md`} />
        )}
        <script type="module" src={assets.client} />
      </head>
      <body data-language={language}>
        <a class="skip" href="#content">
          {say.skip}
        </a>
        <Bar page={page} around={around} />
        <div class="columns">
          <Sidebar page={page} around={around} />
          {children}
        </div>
        <Search page={page} />
      </body>
    </html>
  );
}

function Bar({ page, around }: Props) {
  const say = words[page.language];
  const other = otherOf(page.language);
  return (
    <header class="bar">
      <button type="button" class="icon menu" popovertarget="pages" aria-label={say.menu}>
        <Icon name="menu" />
      </button>
      <a class="brand" href={addressOf(page.language, '')}>
        <span class="mark" aria-hidden="true" />
        Plataforma <span class="soft">{say.name}</span>
      </a>
      <button type="button" class="search-open" data-search-open aria-label={say.searchHint}>
        <Icon name="search" />
        <span class="search-label">{say.search}</span>
        <kbd>/</kbd>
      </button>
      <a
        class="language"
        data-language-switch
        href={otherAddress(page, around)}
        hreflang={words[other].lang}
        lang={words[other].lang}
      >
        {say.otherLanguage}
      </a>
      <button type="button" class="icon" data-theme-switch aria-label={say.theme}>
        <Icon name="theme" />
      </button>
    </header>
  );
}

function Sidebar({ page, around }: Props) {
  const say = words[page.language];
  return (
    <nav class="sidebar" id="pages" popover="auto" aria-label={say.menu}>
      <button
        type="button"
        class="icon close"
        popovertarget="pages"
        popovertargetaction="hide"
        aria-label={say.close}
      >
        <Icon name="close" />
      </button>
      {around.groups.map(({ title, pages }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {pages.map((each) => (
              <li key={each.slug}>
                <a
                  href={addressOf(page.language, each.slug)}
                  aria-current={each.slug === page.slug ? 'page' : undefined}
                >
                  {each.title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function Search({ page }: { page: Page }) {
  const say = words[page.language];
  return (
    <dialog class="search" id="search" aria-label={say.searchHint}>
      <form method="dialog">
        <Icon name="search" />
        <input
          type="text"
          inputMode="search"
          placeholder={say.searchHint}
          aria-label={say.searchHint}
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit">{say.close}</button>
      </form>
      <div id="search-results" role="listbox" aria-label={say.results} />
      <p class="none" role="status" data-text={say.noResults} />
      <template id="copy-words" data-copy={say.copy} data-copied={say.copied} data-by-hand={say.copyByHand} />
    </dialog>
  );
}

const hasMarkdown = ({ content: { kind } }: Page) => kind !== 'home' && kind !== 'missing';

const otherOf = (language: Language): Language => (language === 'pt' ? 'en' : 'pt');

/**
 * Returns the address of the same page in the other language, or of the other language's first page if the
 * page has no translation.
 */
function otherAddress({ language, slug }: Page, { others }: Surroundings): string {
  return addressOf(otherOf(language), others.has(slug) ? slug : '');
}
