import { ADMINISTRATOR } from '#domain/access/roles.ts'
import { DEFAULT_POLICY } from '#domain/tokens/token-rules.ts'
import { OLIVIA } from '#server/testing/activations.ts'
import { NO_ID } from '#server/testing/samples/given.ts'
import { administrators, granters } from '#server/testing/samples/rules.ts'
import { list, missing, on, type Samples } from '#server/testing/samples/sample.ts'
import { about, FIRST, type Walk } from '#server/testing/samples/walk.ts'

export const tokensSamples: Samples = {
  rows: {
    ...list(on(granters), 'tokens'),
    'tokens/create': on(administrators, { name: 'Matrix', scopes: ['usage:read'], days: 1 }),
    'tokens/roll': missing(administrators, { id: NO_ID, days: 1 }),
    'tokens/revoke': missing(granters, { id: NO_ID }),
    'tokens/policy': on(granters),
    'tokens/policy/save': on(granters, { policy: DEFAULT_POLICY, revision: 0 }),
  },
  walk: makeTokens,
}

/** Only a contact of the account can own a token, so Olivia is one meanwhile. */
async function makeTokens({ portal, ask, call }: Walk): Promise<void> {
  const contact = { customer_number: FIRST, email: OLIVIA, role: ADMINISTRATOR } as const
  await portal.db.insertInto('contact').values(contact).execute()
  const token = { name: 'Every operation', scopes: ['usage:read'], days: 30 }
  const first = await ask('tokens/create', { body: { ...about, ...token } })
  const second = await ask('tokens/roll', { body: { ...about, id: first, days: 30 } })
  await call('tokens/revoke', { body: { ...about, id: second } })
  await call('tokens/policy/save', {
    body: { ...about, policy: { longestDays: 90, isWriteAllowed: true }, revision: 0 },
  })
  await portal.db.deleteFrom('contact').where('customer_number', '=', FIRST).where('email', '=', OLIVIA).execute()
}
