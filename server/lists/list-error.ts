import { FilterError } from '#domain/filter/filter-error.ts'
import { HttpError } from '#server/http/http-error.ts'

/** A list request that cannot be answered. */
export class ListError extends HttpError {
  constructor(message: string) {
    super(400, message)
  }
}

/** Errors of the filter language have no HTTP status; this adds it. */
export function asListError<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof FilterError ? new ListError(error.message) : error
  }
}
