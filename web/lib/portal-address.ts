/** The search parameter that names the selected customer. */
export const CUSTOMER = 'customer'

/** An address inside the portal with the selected customer kept in it. */
export function withCustomer(address: string, number: string | undefined): string {
  const url = new URL(address, 'http://portal')
  if (number) url.searchParams.set(CUSTOMER, number)
  else url.searchParams.delete(CUSTOMER)
  return url.pathname + url.search + url.hash
}
