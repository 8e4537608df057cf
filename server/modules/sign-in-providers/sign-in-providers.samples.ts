import { OLIVIA } from '#server/testing/activations.ts'
import { granters } from '#server/testing/samples/rules.ts'
import { missing, on, type Samples } from '#server/testing/samples/sample.ts'
import { about, type Walk } from '#server/testing/samples/walk.ts'

const PROVIDER = {
  issuer: 'https://id.company.example/realms/staff',
  clientId: 'portal',
  clientAuth: 'private_key_jwt',
  groupClaim: 'groups',
  rules: [],
}
/** Each caller gets the domain for the first time. */
let number = 0
const domain = () => ({ domain: `matrix-${number++}.example` })

export const signInProvidersSamples: Samples = {
  rows: {
    'sign-in-provider': on(granters),
    // Nothing changes from the second call on.
    'sign-in-provider/save': on(granters, { ...PROVIDER, revision: 0 }),
    // A refusal by a business rule, with and without a provider.
    'sign-in-provider/switch': on(granters, { mode: 'enforced', breakGlass: null, revision: 0 }),
    'sign-in-provider/remove': on(granters),
    'sign-in-provider/domains/add': on(granters, domain),
    'sign-in-provider/domains/check': missing(granters, { domain: 'none.example' }),
    'sign-in-provider/domains/remove': missing(granters, { domain: 'none.example' }),
  },
  walk: makeProvider,
}

async function makeProvider({ call }: Walk): Promise<void> {
  const domainOfWalk = { ...about, domain: 'walk.example' }
  await call('sign-in-provider', { body: about })
  await call('sign-in-provider/save', { body: { ...about, ...PROVIDER, revision: 0 } })
  await call('sign-in-provider/switch', { body: { ...about, mode: 'off', breakGlass: OLIVIA, revision: 1 } })
  await call('sign-in-provider/domains/add', { body: domainOfWalk })
  await call('sign-in-provider/domains/check', { body: domainOfWalk })
  await call('sign-in-provider/domains/remove', { body: domainOfWalk })
  await call('sign-in-provider/remove', { body: about })
}
