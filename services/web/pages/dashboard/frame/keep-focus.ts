/** What had the focus, and what is around it, innermost first. */
interface FocusPosition {
  element: HTMLElement;
  path: string;
  list: Element | null;
  /** Of its row in the list. */
  index: number;
  around: readonly HTMLElement[];
}

const ROWS = 'tr[data-row], li';
const CONTROLS = 'a[href], button';

/**
 * When what has the focus leaves the page, as a row that was deleted or a form that was sent, the browser gives the focus
 * to nobody. It goes to the row that takes the place, else to the heading of what is around it. In
 * a row the first control has it: the last may delete, and a key that is held down would delete row after row.
 */
export function keepFocus(): () => void {
  let last: FocusPosition | undefined;
  const remember = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement) last = positionOf(target);
  };
  // Who clicks elsewhere has left it.
  const forget = () => {
    last = undefined;
  };
  const observer = new MutationObserver(() => {
    if (!last || last.element.isConnected || document.activeElement !== document.body) return;
    const { path } = last;
    const next = path === location.pathname ? nextTo(last) : undefined;
    last = undefined;
    next?.focus({ preventScroll: true });
  });
  document.addEventListener('focusin', remember);
  document.addEventListener('pointerdown', forget);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', remember);
    document.removeEventListener('pointerdown', forget);
    observer.disconnect();
  };
}

function positionOf(element: HTMLElement): FocusPosition {
  const row = element.closest(ROWS);
  const around: HTMLElement[] = [];
  for (let one = element.parentElement; one; one = one.parentElement) around.push(one);
  return {
    element,
    path: location.pathname,
    list: row?.parentElement ?? null,
    index: row ? [...(row.parentElement?.children ?? [])].indexOf(row) : -1,
    around: around.filter((one) => one.matches('section, main')),
  };
}

function nextTo({ list, index, around }: FocusPosition): HTMLElement | undefined {
  const rows = list?.isConnected ? [...list.children] : [];
  const row = rows[Math.min(index, rows.length - 1)];
  const control = row?.querySelector<HTMLElement>(CONTROLS);
  if (control) return control;
  const headings = around
    .filter((one) => one.isConnected)
    .flatMap((one) => one.querySelector<HTMLElement>('h1, h2') ?? []);
  const [heading] = headings;
  if (heading) heading.tabIndex = -1;
  return heading;
}
