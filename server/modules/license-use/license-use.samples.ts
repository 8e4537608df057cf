import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { BEFORE_USAGE, firstHostOf, LICENSE_FILE, NO_ID } from '#server/testing/samples/given.ts'
import { selfServed, waiters, writers } from '#server/testing/samples/rules.ts'
import { alike, list, missing, on, type Samples, sampled, service } from '#server/testing/samples/sample.ts'
import { about, type Walk } from '#server/testing/samples/walk.ts'

/** The time of the demo data. */
const LATELY = { from: addDays(dayIn('UTC', new Date()), -40), to: dayIn('UTC', new Date()) }

export const licenseUseSamples: Samples = {
  rows: {
    ...alike(on(selfServed, BEFORE_USAGE), 'license-use', 'license-use/export', 'license-use/pdf'),
    ...list(on(selfServed, LATELY), 'license-use/denials'),
    ...list(on(selfServed), 'license-use/logs'),
    'license-use/denials/export': on(selfServed, BEFORE_USAGE),
    'license-use/feature': on(selfServed, (number) => ({
      ...BEFORE_USAGE,
      serverId: firstHostOf(number).id,
      feature: 'anshpc',
    })),
    'license-use/free': {
      kind: { on: 'account', may: selfServed, finds: false },
      sample: (customerNumber) => ({ query: { customerNumber, feature: 'no-such-feature' } }),
    },
    'service/license-use/free': {
      ...service('license-use', (customerNumber) => ({ query: { customerNumber, feature: 'no-such-feature' } })),
      kind: { on: 'service', scope: 'license-use', finds: false },
    },
    'license-use/settings': on(selfServed),
    'license-use/settings/save': on(writers, { settings: { hasPseudonyms: false, keptDays: 400 }, revision: 0 }),
    'license-servers/observations': on(writers, (number) => ({
      serverId: firstHostOf(number).id,
      observations: [{ text: 'access matrix' }],
    })),
    'service/license-servers/observations': service('license-use', (customerNumber) => ({
      body: { customerNumber, serverId: firstHostOf(customerNumber).id, observations: [{ text: 'access matrix' }] },
    })),
    ...list(on(selfServed), 'license-use/waiting'),
    'license-use/waiting/export': on(selfServed),
    'license-use/waiting/join': missing(waiters, { feature: 'no-such-feature', until: '2000-01-01T00:00:00Z' }),
    'license-use/waiting/one': missing(selfServed, { id: NO_ID }),
    'license-use/waiting/leave': missing(selfServed, { id: NO_ID }),
    'license-use/waiting/priority': missing(writers, { id: NO_ID, priority: 'high' }),
    'license-use/waiting/ask': missing(waiters, {
      serverId: '00000000000b',
      feature: 'no-such-feature',
      userName: 'nobody',
    }),
    'license-use/metrics': sampled(selfServed, (customerNumber) => ({ query: { customerNumber } })),
    'license-use/uploads/part': on(writers, { uploadId: NO_ID, position: '0', file: LICENSE_FILE }),
    'license-use/uploads/start': missing(writers, {
      serverId: '00000000000b',
      uploadId: NO_ID,
      fileName: 'debug.log',
      size: 1,
    }),
  },
  walk: reportUse,
}

/** A license server reports a log in two parts, the second one first, a log of another file, and lmstat output. */
async function reportUse({ ask, call, now, today }: Walk): Promise<void> {
  const server = { ...about, serverId: '3cecef4b7d10' }
  const [year, month, day] = today.split('-').map(Number)
  const date = `${month}/${day}/${year}`
  const denied = '(Licensed number of users already reached. (-4,342))'
  const text = `1:00:00 (lmgrd) TIMESTAMP ${date}\n1:00:01 (sim) OUT: "anshpc" ann@pc1  \n`
  const rest = `1:10:00 (sim) DENIED: "anshpc" bob@pc2  ${denied}\n1:10:05 (sim) OUT: "anshpc" bob@pc2  \n`
  const other = `2:00:00 (lmgrd) TIMESTAMP ${date}\n2:00:01 (sim) IN: "anshpc" ann@pc1  \n2:00:02 (sim) OUT: \n`
  const weekday = now.toUTCString().slice(0, 3)
  const status = `Flexible License Manager status on ${weekday} ${date} 2:10\nLicense server status: 1055@lic\nFeature usage info:\nUsers of anshpc:  (Total of 5 licenses issued;  Total of 1 license in use)\n  "anshpc" v1, vendor: sim\n    bob pc2 :0 (v1) (lic/1055 1), start ${weekday} ${month}/${day} 1:10\n`
  const observations = [
    { file: 'a', position: text.length, text: rest },
    { file: 'a', position: 0, text },
    { text: other },
    { text: status },
  ]
  await call('license-servers/observations', { body: { ...server, observations } })
  const silent = { ...about, serverId: '9-77e0d1f5' }
  await call('service/license-servers/observations', { body: { ...silent, observations: [{ text: status }] } })
  const upload = { ...about, uploadId: NO_ID }
  const bytes = Buffer.from(`${text}${rest}`)
  await call('license-use/uploads/part', { body: { ...upload, position: '0', file: bytes } })
  const start = { ...upload, serverId: '3cecef4b7d10', fileName: 'debug.log', size: bytes.length }
  await call('license-use/uploads/start', { body: start })
  const range = { ...server, from: today, to: today }
  for (const name of ['license-use', 'license-use/export', 'license-use/pdf'] as const)
    await call(name, { body: range })
  await call('license-use/feature', { body: { ...range, feature: 'anshpc' } })
  const query = { ...about, feature: 'anshpc' }
  await call('license-use/free', { query })
  await call('service/license-use/free', { query })
  await call('license-use/settings/save', {
    body: { ...about, settings: { hasPseudonyms: false, keptDays: 300, askHours: 1 }, revision: 0 },
  })
  await call('license-use/metrics', { query: about })
  const wanted = { ...about, feature: 'anshpc', until: new Date(now.getTime() + 3_600_000).toISOString() }
  const id = await ask('license-use/waiting/join', { body: wanted })
  await call('license-use/waiting/priority', { body: { ...about, id, priority: 'high' } })
  for (const name of ['license-use/waiting/one', 'license-use/waiting/leave'] as const)
    await call(name, { body: { ...about, id } })
  await call('web/users/save', { body: { ...about, users: [{ email: 'bob@aerodyne.example' }] } })
  await call('license-use/waiting/ask', { body: { ...server, feature: 'anshpc', userName: 'bob' } })
}
