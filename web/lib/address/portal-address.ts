/** The search parameter that names the selected customer. */
const CUSTOMER = 'customer'

/** The search parameter with which sign-in returns to the account that was open last. */
export const LANDING = 'account'
export const LAST_ACCOUNT = 'last'

/** The customer that an address names, whether or not it exists. */
export function customerIn(search: string | URLSearchParams): string | undefined {
  return new URLSearchParams(search).get(CUSTOMER) || undefined
}

/** Sets or removes the selected customer in an address of the portal. */
export function withCustomer(address: string, number: string | undefined): string {
  const url = new URL(address, 'http://portal')
  if (number) url.searchParams.set(CUSTOMER, number)
  else url.searchParams.delete(CUSTOMER)
  return url.pathname + url.search + url.hash
}
