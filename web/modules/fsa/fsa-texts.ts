export const LOADING = 'Getting Flexible Spending Account Details...'
export const EXPORTING = 'Exporting Order History information ...'
export const ORDERING = 'Creating entitlements...'
