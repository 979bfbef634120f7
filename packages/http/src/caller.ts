/** A caller whose whole body comes later than this after the first authentication is authenticated again. */
const LATE_MS = 200;

export interface Caller<Principal> {
  principal: Principal;
  /** Returns the principal; authenticates again, and may refuse, if the body or a slot came late. */
  current(): Principal | Promise<Principal>;
}

/**
 * Authenticates a caller before its body arrives. Call `current` once the body is whole, because a session, a
 * key or a role may have ended meanwhile.
 */
export async function authenticateCaller<Principal>(
  authenticate: () => Principal | Promise<Principal>,
): Promise<Caller<Principal>> {
  // The time starts before the read, because a slow read may return a session that has ended since.
  const begunAt = performance.now();
  const principal = await authenticate();
  const isLate = () => performance.now() - begunAt > LATE_MS;
  return { principal, current: () => (isLate() ? authenticate() : principal) };
}
