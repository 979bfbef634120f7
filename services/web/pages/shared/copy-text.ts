/**
 * Copies a text. Plain http and web views have no clipboard, and others refuse it: then the shown text is selected and
 * copied as a person would. Answers false where that fails, too; the selection stays for the person.
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
  // The shown text may be shorter than the one to copy.
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
