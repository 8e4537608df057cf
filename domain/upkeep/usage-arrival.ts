const DAY = 24 * 60 * 60 * 1000
/** A server that sends usage does so every day. One that has sent nothing for a month is out of use. */
const SILENT_AFTER = DAY
const OUT_OF_USE_AFTER = 30 * DAY

/** Servers whose newest usage arrived within this time are late. */
export const lateArrivals = (now: Date): { readonly from: Date; readonly to: Date } => ({
  from: new Date(now.getTime() - OUT_OF_USE_AFTER),
  to: new Date(now.getTime() - SILENT_AFTER),
})
