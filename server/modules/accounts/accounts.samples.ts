import { everyone } from '#server/testing/samples/rules.ts'
import { alike, on, type Samples, sampled, signedIn } from '#server/testing/samples/sample.ts'

export const accountsSamples: Samples = {
  rows: {
    getUserDetails: signedIn(),
    getRecentAccounts: signedIn(),
    ...alike(signedIn({ body: {} }), 'getaccounts', 'getaccounts/count'),
    'getaccounts/distinct': signedIn({
      body: { filter: { condition: 'ALL', criteria: [{ name: 'AccountID', method: 'STARTSWITH', value: '100' }] } },
    }),
    getCustomerAccounts: signedIn({ body: { limit: 2 } }),
    accounts: on(everyone, { limit: 2 }),
    getaccountinfo: sampled(everyone, (customerNumber) => ({ params: { customerNumber } }), { despiteExport: true }),
    noteOpenedAccount: on(everyone),
  },
}
