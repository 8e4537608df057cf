/** What other modules may use of requests. */
export { countOpenRequests } from '#server/modules/requests/requests.queries.ts'
