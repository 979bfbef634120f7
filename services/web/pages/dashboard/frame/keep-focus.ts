/** Where the focus was: the element, its row, and the sections around it from the inside out. */
interface FocusPosition {
  element: HTMLElement;
  path: string;
  list: Element | null;
  /** The index in `list` of the row that contains the element, or -1 if no row contains the element. */
  index: number;
  around: readonly HTMLElement[];
}

const ROWS = 'tr[data-row], li';
const CONTROLS = 'a[href], button';

/**
 * Moves the focus when the focused element disappears: to the first control of the next row, or else to a
 * heading. The last control often deletes its row, so a key that stays pressed there would delete row after
 * row.
 */
export function keepFocus(): () => void {
  let last: FocusPosition | undefined;
  const remember = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement) last = positionOf(target);
  };
  // A click may move or remove the focus. Forget the old position, so that a later change of the page does
  // not move the focus back.
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
