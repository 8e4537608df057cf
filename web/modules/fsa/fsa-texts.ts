export const LOADING = 'Getting Flexible Spending Account Details...'
export const EXPORTING = 'Exporting Order History information ...'
export const ORDERING = 'Creating entitlements...'
/** After an order without an answer. Its key is sent again with the same lines. */
export const UNANSWERED =
  'It is not known whether the order was placed. Order again without changing anything: it is not ordered twice.'
export const CONFLICT = 'Choose first which version of the draft to keep.'
/** Shown for an address that names a contract which cannot be ordered from. */
export const contractUnavailable = (id: string): string =>
  `You cannot order from the contract ${id}. It has expired, or it does not belong to this account.`
export const DRAFT_GONE =
  'Somebody else has ordered or deleted this draft in the meantime. Save these lines as a new draft to keep them.'
