import type { Behaviour, Held } from '@plataforma/testing';

/** A request that is done when it comes, and answered only when the test says so. */
export function holdingAnswer(then: Behaviour = (perform) => perform()): Held {
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
