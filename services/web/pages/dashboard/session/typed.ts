/** The form that the server has written into the page, for as long as no script has taken its place. */
export const isFormThere = (): boolean => formOfServer() !== null;

/** What was typed into it until then. */
export function typedSoFar(): { email: string; password: string } {
  const data = new FormData(formOfServer() ?? undefined);
  const typed = (name: string) => String(data.get(name) ?? '');
  return { email: typed('email'), password: typed('password') };
}

function formOfServer(): HTMLFormElement | null {
  const form = document.querySelector('form#log-in');
  return form instanceof HTMLFormElement ? form : null;
}
