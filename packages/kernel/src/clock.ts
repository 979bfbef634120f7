/** The time now. Passed in wherever a rule depends on it, so that a test can say what time it is. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
