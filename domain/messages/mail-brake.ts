const HOUR = 3_600_000
/** Rate limit: how many mails of one kind a person's acts send to one address within an hour. */
const MAILS_PER_HOUR = 5

/** Mails of the last hour, and one that is held back. Only these count. */
export function countedMails(sentAt: readonly Date[], now: Date): Date[] {
  return sentAt.filter((at) => now.getTime() - at.getTime() < HOUR)
}

/** When the next mail can leave: now, or as soon as fewer than the limit are in the hour before it. `counted` is in order. */
export function nextMailAt(counted: readonly Date[], now: Date): Date {
  const oldest = counted.at(-MAILS_PER_HOUR)
  return oldest ? new Date(oldest.getTime() + HOUR) : now
}

/** The text for a person whose mail is refused. */
export function tooManyMails(address: string, next: Date, now: Date): string {
  const minutes = Math.ceil((next.getTime() - now.getTime()) / 60_000)
  return `You have sent ${MAILS_PER_HOUR} emails of this kind to ${address} within an hour. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
}
