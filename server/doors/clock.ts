/** The only source of time: tests turn it by hand. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
