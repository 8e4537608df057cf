import { DEFAULT_RULES } from '#domain/requests/request.ts'
import { OLIVIA } from '#server/testing/activations.ts'
import { NO_ID } from '#server/testing/samples/given.ts'
import { granters, notShutOut, writers } from '#server/testing/samples/rules.ts'
import { list, missing, on, type Samples, signedIn } from '#server/testing/samples/sample.ts'
import { about, seats, type Walk } from '#server/testing/samples/walk.ts'

const NO_REQUEST = {
  kind: 'web-license',
  item: 'no-such-id',
  target: 'matrix@aerodyne.example',
  quantity: 1,
  reason: 'Matrix',
}

export const requestsSamples: Samples = {
  rows: {
    ...list(on(notShutOut), 'requests'),
    'requests/ask': on(notShutOut, NO_REQUEST),
    'requests/withdraw': missing(notShutOut, { id: NO_ID }),
    'requests/approve': missing(writers, { id: NO_ID, revision: 1 }),
    'requests/decline': missing(writers, { id: NO_ID, revision: 1, reason: 'Matrix' }),
    'requests/rules': on(notShutOut),
    'requests/rules/save': on(granters, { rules: DEFAULT_RULES, revision: 0 }),
    'requests/own': signedIn(),
    'requests/own/ask': signedIn({ body: { customerNumber: '100002', activationId: 'no-such-id', reason: '' } }),
    'requests/own/withdraw': signedIn({ body: { customerNumber: '100002', id: NO_ID } }),
  },
  walk: request,
}

async function request({ ask, call }: Walk): Promise<void> {
  const user = (name: string) => `${name}@aerodyne.example`
  const wanted = { ...about, kind: 'web-license', item: seats('web'), quantity: 1, reason: '' }
  const approved = await ask('requests/ask', { body: { ...wanted, target: user('approved') } })
  await call('requests/approve', { body: { ...about, id: approved, revision: 1 } })
  const declined = await ask('requests/ask', { body: { ...wanted, target: user('declined') } })
  await call('requests/decline', { body: { ...about, id: declined, revision: 1, reason: 'No' } })
  const withdrawn = await ask('requests/ask', { body: { ...wanted, target: user('withdrawn') } })
  await call('requests/withdraw', { body: { ...about, id: withdrawn } })
  await call('web/users/save', { body: { ...about, users: [{ email: OLIVIA }] } })
  const own = await ask('requests/own/ask', { body: { ...about, activationId: seats('web'), reason: '' } })
  await call('requests/own/withdraw', { body: { ...about, id: own } })
  const rules = { ...DEFAULT_RULES, days: DEFAULT_RULES.days + 1 }
  await call('requests/rules/save', { body: { ...about, rules, revision: 0 } })
}
