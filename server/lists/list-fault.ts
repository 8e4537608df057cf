import { FilterFault } from '#domain/filter/filter-error.ts'

/** A list request that cannot be answered as asked; the caller's to mend. */
export class ListFault extends Error {
  override readonly name = 'ListFault'
  readonly statusCode = 400
}

/** Faults of the filter language know nothing of HTTP; here they get their status. */
export function orListFault<T>(read: () => T): T {
  try {
    return read()
  } catch (fault) {
    throw fault instanceof FilterFault ? new ListFault(fault.message) : fault
  }
}
