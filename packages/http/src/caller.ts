/** The longest time from the begin of a request's authentication to its whole body. */
const LATE_MS = 200;

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
  // A slow read of the session may have seen it before its end.
  const begunAt = performance.now();
  const who = await authenticate();
  const isLate = () => performance.now() - begunAt > LATE_MS;
  return { who, current: () => (isLate() ? authenticate() : who) };
}
