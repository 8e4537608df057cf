import type { OptionsAnswer } from '#contract/options-files/options-files.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { firstHostOf, NO_ID } from '#server/testing/samples/given.ts'
import { selfServed, writers } from '#server/testing/samples/rules.ts'
import { missing, on, type Samples, sampled } from '#server/testing/samples/sample.ts'
import { about, type Walk } from '#server/testing/samples/walk.ts'

/** No license server has it, so what is about it is not found. */
const daemon = 'nodaemon'
const file = { serverId: '3cecef4b7d10', daemon }
const DAYS = { from: '2026-12-01', to: '2026-12-02', weekdays: [1, 2, 3, 4, 5, 6, 7] }
const REPORT = { machine: 'lic', version: 1, day: '2026-12-01', sha256: '0'.repeat(64), outcome: 'installed' }

export const optionsFilesSamples: Samples = {
  rows: {
    'license-servers/options': on(selfServed, (number) => ({ serverId: firstHostOf(number).id })),
    'license-servers/options/what-if': missing(selfServed, { ...file, text: '' }),
    'license-servers/options/version': missing(selfServed, { ...file, version: 1 }),
    'license-servers/options/export': missing(selfServed, file),
    'license-servers/options/file': sampled(selfServed, (customerNumber) => ({ query: { customerNumber, ...file } }), {
      finds: false,
    }),
    'license-servers/options/save': missing(writers, { ...file, text: '', revision: 0 }),
    'license-servers/options/reservations/save': missing(writers, {
      ...file,
      ...DAYS,
      feature: 'struct_pro',
      group: 'crash',
      seats: 1,
    }),
    'license-servers/options/reservations/remove': missing(writers, { ...file, id: NO_ID }),
    'license-servers/options/installed': missing(writers, { ...file, ...REPORT }),
  },
  walk: writeOptions,
}

async function writeOptions({ ask, call, today }: Walk): Promise<void> {
  const server = { ...about, serverId: '3cecef4b7d10' }
  const { body } = await call('license-servers/options', { body: server })
  const { file: found } = body.data as OptionsAnswer
  if (!found) throw new Error('the license server has no vendor daemon')
  const { feature } = found.features.find(({ seats }) => (seats ?? 0) > 0)!
  const named = { ...server, daemon: found.daemon }
  const text = `# every operation\nGROUP walkers ann bea\nEXCLUDE ${feature} USER nobody\n`
  await call('license-servers/options/what-if', { body: { ...named, text } })
  await call('license-servers/options/save', { body: { ...named, text, revision: found.revision } })
  const version = found.revision + 1
  await call('license-servers/options/version', { body: { ...named, version } })
  await call('license-servers/options/export', { body: named })
  const days = { from: today, to: addDays(today, 3), weekdays: DAYS.weekdays }
  const reservation = { ...named, ...days, feature, group: 'walkers', seats: 1 }
  const id = await ask('license-servers/options/reservations/save', { body: reservation })
  await call('license-servers/options/file', { query: named })
  await call('license-servers/options/installed', { body: { ...named, ...REPORT, version } })
  await call('license-servers/options/reservations/remove', { body: { ...named, id } })
}
