/** What other parts of the server may use of sign-in providers. */
export { createAccountProviders } from '#server/modules/sign-in-providers/account-providers.ts'
export { countFailingDomains } from '#server/modules/sign-in-providers/providers.queries.ts'
