/** The longest time between the authentication of a request and its whole body. */
const LATE_MS = 100;

export interface Caller<Who> {
  who: Who;
  /** Returns the caller, authenticated again if the body or a slot came late; refuses as `authenticate` does. */
  current(): Who | Promise<Who>;
}

/**
 * Authenticates a caller before the body comes. Call `current` once the body is whole, because a session, a key or a
 * role may have ended meanwhile.
 */
export async function authenticateCaller<Who>(authenticate: () => Who | Promise<Who>): Promise<Caller<Who>> {
  const who = await authenticate();
  const authenticatedAt = performance.now();
  const isLate = () => performance.now() - authenticatedAt > LATE_MS;
  return { who, current: () => (isLate() ? authenticate() : who) };
}
