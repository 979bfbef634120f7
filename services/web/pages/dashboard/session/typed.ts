/** The form that the server has written into the page, for as long as no script has taken its place. */
export const isFormThere = (): boolean => formOfServer() !== null;

/** What was typed into it until then, and whether the next key is for the password. */
export function typedSoFar(): { email: string; password: string; isAtPassword: boolean } {
  const data = new FormData(formOfServer() ?? undefined);
  const typed = (name: string) => String(data.get(name) ?? '');
  return {
    email: typed('email'),
    password: typed('password'),
    isAtPassword: document.activeElement?.id === 'password',
  };
}

function formOfServer(): HTMLFormElement | null {
  const form = document.querySelector('form#log-in');
  return form instanceof HTMLFormElement ? form : null;
}
