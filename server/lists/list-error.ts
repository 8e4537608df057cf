import { FilterError } from '#domain/filter/filter-error.ts'
import { HttpError } from '#server/http/http-error.ts'

/** A list request that cannot be answered as sent. */
export class ListError extends HttpError {
  constructor(message: string) {
    super(400, message)
  }
}

/** Errors of the filter language know nothing of HTTP; here they get their status. */
export function asListError<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof FilterError ? new ListError(error.message) : error
  }
}
