import MiniSearch from 'minisearch';
import { type Found, searchIn, searchOptions } from '../../src/search-options.ts';
import { made } from './made.ts';

const MOST = 12;

let index: Promise<MiniSearch<Found>> | undefined;

/** Loads the search index at the first search. */
function loaded(): Promise<MiniSearch<Found>> {
  const { language = 'pt' } = document.body.dataset;
  index ??= fetch(`/docs/search-${language}.json`)
    .then((answer) => answer.text())
    .then((text) => MiniSearch.loadJSON<Found>(text, searchOptions));
  return index;
}

/** Connects the search dialog, which opens with the key `/`, with Ctrl-K or with its button. */
export function wireSearch(): void {
  const dialog = document.querySelector<HTMLDialogElement>('#search');
  const input = dialog?.querySelector('input');
  const list = dialog?.querySelector<HTMLElement>('[role=listbox]');
  const none = dialog?.querySelector<HTMLElement>('.none');
  if (!dialog || !input || !list || !none) return;
  input.role = 'combobox';
  input.ariaExpanded = 'false';
  input.ariaAutoComplete = 'list';
  input.setAttribute('aria-controls', list.id);
  const open = () => {
    void loaded();
    if (!dialog.open) dialog.showModal();
    input.select();
  };
  document.querySelector('[data-search-open]')?.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    if (!isCall(event)) return;
    event.preventDefault();
    open();
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  input.addEventListener('input', async () => {
    const query = input.value.trim();
    const found = query === '' ? [] : searchIn(await loaded(), query).slice(0, MOST);
    // This result is out of date if the reader typed another query while the index was loading.
    if (query !== input.value.trim()) return;
    list.replaceChildren(...found.map((each, number) => optionOf(each, number)));
    none.textContent = query !== '' && found.length === 0 ? (none.dataset.text ?? '') : '';
    input.ariaExpanded = String(found.length > 0);
    select(input, list, 0);
  });
  input.addEventListener('keydown', (event) => onKey(event, input, list));
}

function isCall({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey)) return true;
  const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select');
  return key === '/' && !ctrlKey && !metaKey && !isTyping;
}

function optionOf(found: Partial<Found>, number: number): HTMLElement {
  const link = made('a', { href: found.address ?? '', role: 'option', id: `found-${number}`, tabIndex: -1 });
  link.append(
    made('strong', { textContent: found.title ?? '' }),
    made('span', { textContent: found.pageTitle ?? '' }),
    made('p', { textContent: found.begin ?? '' }),
  );
  link.addEventListener('click', () => document.querySelector<HTMLDialogElement>('#search')?.close());
  return link;
}

function onKey(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const options = [...list.children];
  const at = options.findIndex(({ ariaSelected }) => ariaSelected === 'true');
  if (step !== undefined && options.length > 0) {
    event.preventDefault();
    select(input, list, (at + step + options.length) % options.length);
  }
  const chosen = options[at];
  if (event.key === 'Enter') event.preventDefault();
  if (event.key === 'Enter' && chosen instanceof HTMLElement) chosen.click();
}

function select(input: HTMLInputElement, list: HTMLElement, position: number): void {
  [...list.children].forEach((option, number) => {
    option.ariaSelected = String(number === position);
    if (number === position) option.scrollIntoView({ block: 'nearest' });
  });
  const chosen = list.children[position];
  if (chosen) input.setAttribute('aria-activedescendant', chosen.id);
  else input.removeAttribute('aria-activedescendant');
}
