import { made } from './made.ts';

const STORAGE_KEY = 'docs-tab';

/** Adds tabs and copy buttons to the code samples. */
export function wireCode(): void {
  document.querySelectorAll<HTMLElement>('.code').forEach(wire);
  const chosen = localStorage.getItem(STORAGE_KEY);
  if (chosen !== null) showEverywhere(chosen);
}

function wire(group: HTMLElement, number: number): void {
  const panels = [...group.querySelectorAll<HTMLElement>('.panel')];
  const bar = made('div', { className: 'code-bar' });
  if (group.dataset.tabs !== undefined) {
    bar.append(tabsOf(panels, number));
  } else {
    const label = made('span', { textContent: panels[0]?.dataset.tab ?? '' });
    bar.append(label);
    bar.classList.toggle('bare', label.textContent === '');
  }
  bar.append(copyButton(group));
  group.prepend(bar);
  if (group.dataset.tabs !== undefined) show(group, panels[0]?.dataset.tab ?? '');
}

function tabsOf(panels: readonly HTMLElement[], number: number): HTMLElement {
  const ariaLabel = panels.map(({ dataset }) => dataset.tab).join(', ');
  const list = made('div', { role: 'tablist', ariaLabel });
  panels.forEach((panel, index) => {
    const label = panel.dataset.tab ?? '';
    Object.assign(panel, { id: `code-${number}-${index}`, role: 'tabpanel', ariaLabel: label });
    const tab = made('button', { type: 'button', role: 'tab', textContent: label });
    tab.dataset.tab = label;
    tab.setAttribute('aria-controls', panel.id);
    tab.addEventListener('click', () => choose(tab));
    list.append(tab);
  });
  list.addEventListener('keydown', (event) => move(event, list));
  return list;
}

function move(event: KeyboardEvent, list: HTMLElement): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  const tabs = [...list.querySelectorAll<HTMLButtonElement>('[role=tab]')];
  const at = tabs.findIndex(({ ariaSelected }) => ariaSelected === 'true');
  const next = tabs[(at + step + tabs.length) % tabs.length];
  if (!next) return;
  event.preventDefault();
  choose(next);
  next.focus();
}

/**
 * Shows the same tab in all code samples. Scrolls the page so that the clicked tab stays at the same place in
 * the window.
 */
function choose(tab: HTMLElement): void {
  const label = tab.dataset.tab ?? '';
  const before = tab.getBoundingClientRect().top;
  localStorage.setItem(STORAGE_KEY, label);
  showEverywhere(label);
  scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' });
}

function showEverywhere(label: string): void {
  for (const group of document.querySelectorAll<HTMLElement>('.code[data-tabs]')) show(group, label);
}

function show(group: HTMLElement, label: string): void {
  const panels = [...group.querySelectorAll<HTMLElement>('.panel')];
  if (!panels.some(({ dataset }) => dataset.tab === label)) return;
  for (const panel of panels) panel.toggleAttribute('data-shown', panel.dataset.tab === label);
  for (const tab of group.querySelectorAll<HTMLButtonElement>('[role=tab]')) {
    tab.ariaSelected = String(tab.dataset.tab === label);
    tab.tabIndex = tab.dataset.tab === label ? 0 : -1;
  }
}

/**
 * Copies the code. On plain HTTP, where the clipboard API is missing, selects the code and uses the browser's
 * copy command.
 */
async function copyText(shown: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(shown.textContent);
    return true;
  } catch {
    getSelection()?.selectAllChildren(shown);
    return document.execCommand('copy');
  }
}

function copyButton(group: HTMLElement): HTMLElement {
  const {
    copy = '',
    copied = '',
    byHand = '',
  } = document.querySelector<HTMLElement>('#copy-words')?.dataset ?? {};
  const own = { type: 'button', className: 'copy', textContent: copy, ariaLive: 'polite' } as const;
  const button = made('button', own);
  button.addEventListener('click', async () => {
    const shown = group.querySelector('[data-shown] code') ?? group.querySelector('code');
    const isCopied = shown !== null && (await copyText(shown));
    button.textContent = isCopied ? copied : byHand;
    setTimeout(() => Object.assign(button, { textContent: copy }), 2_000);
  });
  return button;
}
