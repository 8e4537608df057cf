/** License servers report every minute or so. One that has not reported for this long is silent. In milliseconds. */
const SILENT_AFTER = 24 * 60 * 60_000

/** License servers whose last report is older than this are silent. */
export const silentBefore = (now: Date): Date => new Date(now.getTime() - SILENT_AFTER)
