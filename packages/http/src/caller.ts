/** The longest time from the begin of a request's authentication to its whole body. */
const LATE_MS = 200;

export interface Caller<Principal> {
  principal: Principal;
  /** Returns the caller, authenticated again if the body or a slot came late; refuses as `authenticate` does. */
  current(): Principal | Promise<Principal>;
}

/**
 * Authenticates a caller before the body comes. Call `current` once the body is whole, because a session, a key or a
 * role may have ended meanwhile.
 */
export async function authenticateCaller<Principal>(
  authenticate: () => Principal | Promise<Principal>,
): Promise<Caller<Principal>> {
  // A slow read of the session may have seen it before its end.
  const begunAt = performance.now();
  const principal = await authenticate();
  const isLate = () => performance.now() - begunAt > LATE_MS;
  return { principal, current: () => (isLate() ? authenticate() : principal) };
}
