/** A holder, and the last time of the day at which the checkout began, like `9:00`. */
export type ShownHolder = readonly [user: string, since: string, seats?: number]

type Shown = {
  readonly at: Date
  readonly feature: string
  readonly seats: number
  readonly holders?: readonly ShownHolder[]
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** The output of `lmstat -a` on a license server whose clock is in UTC. */
export function lmstatOutput({ at, feature, seats, holders = [] }: Shown): string {
  const time = at.toISOString().slice(11, 16)
  const inUse = holders.reduce((sum, [, , count = 1]) => sum + count, 0)
  return [
    `Flexible License Manager status on ${dayOf(at)}/${at.getUTCFullYear()} ${time}`,
    'License server status: 1055@lic-1',
    'lic-1: license server UP (MASTER) v11.19.6',
    'Feature usage info:',
    `Users of ${feature}:  (Total of ${seats} licenses issued;  Total of ${inUse} ${inUse === 1 ? 'license' : 'licenses'} in use)`,
    `  "${feature}" v26.1, vendor: sim, expiry: 31-dec-2030`,
    '  floating license',
    ...holders.map(
      ([user, since, count = 1], index) =>
        `    ${user} pc-${user} :0 (v26.1) (lic-1/1055 ${100 + index}), start ${dayOf(startOf(since, at))} ${since}${count === 1 ? '' : `, ${count} licenses`}`,
    ),
    '',
  ].join('\n')
}

/** A weekday and a day, like `Thu 11/19`. */
const dayOf = (at: Date) => `${WEEKDAYS[at.getUTCDay()]} ${at.getUTCMonth() + 1}/${at.getUTCDate()}`

const DAY = 86_400_000
function startOf(since: string, at: Date): Date {
  const today = new Date(`${at.toISOString().slice(0, 10)}T${since.padStart(5, '0')}:00Z`)
  return today <= at ? today : new Date(today.getTime() - DAY)
}
