const KEPT_AS = 'shortcuts';

/** Single letters can be switched off: speech input would press them. */
export function areKeysOn(): boolean {
  return localStorage.getItem(KEPT_AS) !== 'off';
}

export function setKeysOn(on: boolean): void {
  localStorage.setItem(KEPT_AS, on ? 'on' : 'off');
}

/** Letters belong to a field that has the focus, to a dialog, and to what the browser does with Ctrl and the like. */
export function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  if (!(target instanceof HTMLElement)) return false;
  return target.closest('input, select, textarea, dialog, [contenteditable]') !== null;
}

/** To the next or previous row of the list, which Enter then opens. */
export function moveInList(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('[data-row] a')];
  const at = links.findIndex((link) => link.matches(':focus'));
  const next = at === -1 && step === -1 ? links.length - 1 : at + step;
  links[Math.max(0, Math.min(links.length - 1, next))]?.focus();
}
