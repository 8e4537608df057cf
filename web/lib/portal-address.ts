/** The search parameter that names the selected customer. */
const CUSTOMER = 'customer'

/** The customer that an address names in its search part, whether or not the server knows it. */
export function customerIn(search: string | URLSearchParams): string | undefined {
  return new URLSearchParams(search).get(CUSTOMER) || undefined
}

/** An address inside the portal with the selected customer kept in it. */
export function withCustomer(address: string, number: string | undefined): string {
  const url = new URL(address, 'http://portal')
  if (number) url.searchParams.set(CUSTOMER, number)
  else url.searchParams.delete(CUSTOMER)
  return url.pathname + url.search + url.hash
}
