/**
 * If more than this time has passed since the authentication began, the caller is authenticated a second
 * time.
 */
const LATE_MS = 200;

export interface Caller<Principal> {
  principal: Principal;
  /**
   * Returns the principal. Later than `LATE_MS` after the authentication began, authenticates the caller
   * again, which may refuse the request.
   */
  current(): Principal | Promise<Principal>;
}

/**
 * Authenticates a caller before its body arrives. Call `current` when the whole body is there, because a
 * session, a key or a role may have ended in the meantime.
 */
export async function authenticateCaller<Principal>(
  authenticate: () => Principal | Promise<Principal>,
): Promise<Caller<Principal>> {
  // Count the time from before the authentication. A slow authentication may read a session, and the session
  // may end before the authentication does.
  const begunAt = performance.now();
  const principal = await authenticate();
  const isLate = () => performance.now() - begunAt > LATE_MS;
  return { principal, current: () => (isLate() ? authenticate() : principal) };
}
