import { selfServed } from '#server/testing/samples/rules.ts'
import { alike, on, type Samples } from '#server/testing/samples/sample.ts'

export const entitlementsSamples: Samples = {
  rows: {
    ...alike(on(selfServed), 'fetchEntitlements', 'fetchEntitlements/active', 'fetchEntitlements/inactive'),
    ...alike(on(selfServed), 'fetchEntitlements/count', 'fetchEntitlementsActive/count'),
    ...alike(on(selfServed), 'fetchEntitlementsInactive/count'),
    ...alike(on(selfServed), 'fetchEntitlements/active/export', 'fetchEntitlements/inactive/export'),
    'fetchEntitlements/distinct': on(selfServed, { key: 'LicenseModel' }),
    'fulfillments/count': on(selfServed, { activationId: ['any'] }),
  },
}
