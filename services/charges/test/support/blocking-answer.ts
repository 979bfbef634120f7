import type { Behaviour, Blocked } from '@plataforma/testing';

/** A request that is done when it comes, and answered only when the test says so. */
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
