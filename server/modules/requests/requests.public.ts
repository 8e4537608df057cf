/** What other modules may use of requests. */
export { countOpenRequests, withdrawRequestsOf } from '#server/modules/requests/requests.queries.ts'
