import { type HostIdentity, hostParts } from '#domain/activations/hosts/host.ts'
import type { CalendarDay } from '#domain/calendar/calendar-day.ts'

/** The name under which a license file is downloaded. A triad's ids are joined with hyphens. */
export function licenseFileName(
  customerNumber: string,
  { serverId }: Pick<HostIdentity, 'serverId'>,
  isShared = false,
): string {
  return `license_${customerNumber}_${hostParts(serverId).join('-')}${isShared ? '_shared' : ''}.lic`
}

/** Who gets the file by email, in addition to the download. Without a "to" it is the person who is signed in. */
export type LicenseMail = { readonly supportEmailTo: string; readonly supportEmailCc: string }

/** Generate sends the file to the account's support address, if it has one. Email sends it to the person, with a copy to support. */
export function licenseMail(
  button: 'generate' | 'email',
  { supportEmail, isSslAllowed }: { readonly supportEmail: string; readonly isSslAllowed: boolean },
): LicenseMail | undefined {
  const support = isSslAllowed ? supportEmail.trim() : ''
  if (button === 'email') return { supportEmailTo: '', supportEmailCc: support }
  return support === '' ? undefined : { supportEmailTo: support, supportEmailCc: '' }
}

/** Addresses of a license file: the support address, or the person with a copy to support. */
export function licenseRecipients({ supportEmailTo, supportEmailCc }: LicenseMail, person: string) {
  if (supportEmailTo !== '') return { to: [supportEmailTo], cc: [] }
  return { to: [person], cc: supportEmailCc === '' ? [] : [supportEmailCc] }
}

/** Why a license file is generated: what has changed since the last one. */
export const LICENSE_FILE_REASONS = ['FIRST', 'SEATS_CHANGED', 'LICENSES_EXPIRED', 'REQUESTED'] as const
export type LicenseFileReason = (typeof LICENSE_FILE_REASONS)[number]

/** What is known of the last license file of a host. */
export type LastFile = {
  /** The ledger of the host, the dates of what it holds, or the group of customers that share it have changed since. */
  readonly isChangedSince: boolean
  /** The first day on which a lease in the file ends; null if nothing in it ends. */
  readonly firstEnd: CalendarDay | null
}

export function licenseFileReason(last: LastFile | undefined, today: CalendarDay): LicenseFileReason {
  if (!last) return 'FIRST'
  if (last.isChangedSince) return 'SEATS_CHANGED'
  return last.firstEnd !== null && last.firstEnd < today ? 'LICENSES_EXPIRED' : 'REQUESTED'
}

/** A new license file would differ from the last one. `seats` are those on the host that have not expired. */
export function isOutOfDate(last: LastFile | undefined, seats: number, today: CalendarDay): boolean {
  // Without seats there is no file to make.
  return seats > 0 && licenseFileReason(last, today) !== 'REQUESTED'
}

/** The license file state of a host, as tables show it. */
export const LICENSE_FILE_STATES = ['Out of date', 'Up to date'] as const
