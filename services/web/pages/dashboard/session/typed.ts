/** What was typed into the form of the server's page until now, and whether the next key is for the password. */
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
