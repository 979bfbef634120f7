import type { Behaviour, Blocked } from '@plataforma/testing';

/**
 * Returns a behaviour of a fake provider: it handles the request at once, but sends the answer only when the
 * test releases it.
 */
export function blockingAnswer(then: Behaviour = (perform) => perform()): Blocked {
  const arrival = Promise.withResolvers<void>();
  const leave = Promise.withResolvers<void>();
  return {
    behaviour: async (perform) => {
      const reply = await then(perform);
      arrival.resolve();
      await leave.promise;
      return reply;
    },
    arrived: arrival.promise,
    release: leave.resolve,
  };
}
