/** License servers report every minute or so. One that has not reported for this long is silent. In milliseconds. */
const SILENT_AFTER = 24 * 60 * 60_000

/** License servers whose last report is older than this are silent. */
export const silentBefore = (now: Date): Date => new Date(now.getTime() - SILENT_AFTER)

const ZONE_FURTHEST_WEST = 12 * 3_600_000

/** Whether a time of the license server's clock, "2026-10-01 08:10", is too old in every time zone to tell what is free now. */
export const isOldReport = (at: string, now: Date): boolean =>
  Date.parse(`${at.replace(' ', 'T')}Z`) < silentBefore(now).getTime() - ZONE_FURTHEST_WEST
