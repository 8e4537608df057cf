type Asked = {
  readonly account: { readonly number: string; readonly name: string; readonly supportEmail: string }
  readonly about: string
  readonly request: string
  readonly facts: readonly string[]
}

/** The link to an email to the support address of an account, with the facts filled in; undefined without an address. */
export function askEmail({
  account: { number, name, supportEmail },
  about,
  request,
  facts,
}: Asked): string | undefined {
  if (supportEmail === '') return undefined
  const subject = encodeURIComponent(`Account ${number}: ${about}`)
  const text = [request, '', `Account: ${name} (${number})`, ...facts, ''].join('\n')
  return `mailto:${supportEmail}?subject=${subject}&body=${encodeURIComponent(text)}`
}
