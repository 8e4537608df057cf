/** What other modules may use of access reviews. */
export { findOpenWork } from '#server/modules/access-review/access-review.queries.ts'
