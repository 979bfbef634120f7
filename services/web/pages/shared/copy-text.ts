/**
 * Copies a text, by the selection if the clipboard is missing (plain http, web views) or refuses. Returns
 * false if both fail. The selection then remains, so that the user can copy it.
 */
export async function copyText(text: string, shown: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text, shown);
  }
}

function copySelected(text: string, shown: Element): boolean {
  if (shown instanceof HTMLInputElement) {
    shown.focus();
    shown.select();
  } else getSelection()?.selectAllChildren(shown);
  // The event replaces the copied text, because the visible text may be shorter.
  const put = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', put);
  try {
    return document.execCommand('copy');
  } catch {
    // A browser may lack the command.
    return false;
  } finally {
    document.removeEventListener('copy', put);
  }
}
