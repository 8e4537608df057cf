/** Whether a name is the IANA name of a time zone, as Europe/Berlin. Offsets such as +02:00 are no names: they know no summer. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== undefined
  } catch {
    return false
  }
}
