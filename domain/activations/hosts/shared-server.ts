import { isExportApproved } from '#domain/access/can.ts'

/** A customer that shares a license server. One that the caller does not manage is known by its number alone. */
export type GroupMember = { readonly customerNumber: string; readonly isManaged: boolean }

/** More than one customer on a server means a shared one; a single customer needs no group. */
export function wantedGroup(activeCustomers: readonly string[]): string[] {
  return activeCustomers.length > 1 ? [...activeCustomers] : []
}

export function isSameGroup(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && new Set([...one, ...other]).size === one.length
}

export function unmanagedCustomers(members: readonly GroupMember[]): string[] {
  return members.filter(({ isManaged }) => !isManaged).map(({ customerNumber }) => customerNumber)
}

/** The banner's text; undefined if the caller manages everyone who shares the server. */
export function unmanagedWarning(members: readonly GroupMember[]): string | undefined {
  const numbers = unmanagedCustomers(members)
  if (numbers.length === 0) return undefined
  return `This license server is shared with customer numbers that you do not manage: ${numbers.join(', ')}. They will be removed from the license file.`
}

/** The banner's text about customers whose tab was closed: the next license file is made without them. */
export function leavingWarning(numbers: readonly string[]): string | undefined {
  if (numbers.length === 0) return undefined
  const [customers, keep] =
    numbers.length === 1
      ? [`Customer ${numbers[0]}`, 'Its seats stay']
      : [`Customers ${numbers.join(', ')}`, 'Their seats stay']
  return `${customers} will be removed from the license file and will no longer share this license server. ${keep} activated.`
}

/** Customers that may not be put into a group; while there is one, nothing changes. Members that are there already may stay. */
export function refusedMembers(
  group: readonly string[],
  { writable, members }: { readonly writable: ReadonlySet<string>; readonly members: ReadonlySet<string> },
  exportStatusOf: (customerNumber: string) => string | null | undefined,
): string[] {
  return group.filter(
    (number) => !members.has(number) && !(writable.has(number) && isExportApproved(exportStatusOf(number))),
  )
}

/** The first tab is the selected customer's; the others are open while they have seats on the host. */
export function openTabs<T extends { readonly customerNumber: string; readonly assigned: readonly unknown[] }>(
  tabs: readonly T[],
  selectedCustomer: string,
): T[] {
  const isSelected = ({ customerNumber }: T) => customerNumber === selectedCustomer
  return [...tabs.filter(isSelected), ...tabs.filter((tab) => !isSelected(tab) && tab.assigned.length > 0)]
}

export function canCloseTab(tabs: readonly unknown[]): boolean {
  return tabs.length > 1
}
