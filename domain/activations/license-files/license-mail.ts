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
