/** The only source of time; tests set it. */
export type Clock = { now(): Date }

/** A clock that starts at `start` and runs from there. */
export function clockFrom(start: Date): Clock {
  const ahead = start.getTime() - Date.now()
  return { now: () => new Date(Date.now() + ahead) }
}

export const systemClock: Clock = { now: () => new Date() }
