/**
 * Copies a text. If the clipboard is missing (plain http, web views) or refuses, it selects the text on the
 * page and copies the selection. Returns false if the browser can't copy; the text then stays selected for
 * the user.
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
  // The handler puts the full text into the clipboard, because the selected visible text may be shorter.
  const put = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', put);
  try {
    return document.execCommand('copy');
  } catch {
    // In some browsers the copy command is missing or throws.
    return false;
  } finally {
    document.removeEventListener('copy', put);
  }
}
