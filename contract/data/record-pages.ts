import { Type } from 'typebox'

/** Maximum number of records, or ids, in one call. */
export const MAX_RECORDS = 1_000
export const DEFAULT_PAGE = 100

/** How a reader pages through a list that is too long for one answer. */
export const pageQuery = {
  after: Type.Optional(
    Type.String({ maxLength: 1000, description: 'The value of `next` in the answer with the page before' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RECORDS, default: DEFAULT_PAGE })),
}

export const pageFields = (since: 'changedSince' | 'removedSince') => ({
  next: Type.String({ description: 'Send it as `after` for the next page; absent on the last page.' }),
  until: Type.String({
    format: 'date-time',
    description: `Send it as \`${since}\` next time. It is the same on all pages.`,
  }),
})
