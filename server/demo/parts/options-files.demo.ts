import { sql } from 'kysely'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { optionsFileOfDay } from '#domain/options-files/reservations.ts'
import { servedFeatures } from '#domain/options-files/served-features.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { TRIAD } from '#server/demo/fulfillments-hosts.ts'
import {
  countChange,
  insertOptionsFile,
  insertVersion,
  saveInstall,
  saveReservationRow,
} from '#server/modules/options-files/options-files.queries.ts'
import { sha256Of } from '#server/modules/options-files/sealed-file.ts'

const CUSTOMER = '100001'
const BY = 'ada.admin@aerodyne.example'
const DAY = 86_400_000
const RESERVATION_ID = '5d0c4b62-8f0e-4f43-9c0e-6f5f0d2b7a11'

/** The options file of the triad, whose use the demo data has: groups, rules, a reservation on working days, and where it runs. */
export const optionsFiles: DemoPart = {
  name: 'options files',
  async load(tx, { midnight, today }) {
    const day = today('Europe/Berlin')
    const { rows } = await sql<{ text: string }>`
      select own_text as text from license_file where customer_number = ${CUSTOMER} and host_id = ${TRIAD.id}
       order by position desc limit 1`.execute(tx)
    const [daemon, features = []] = [...servedFeatures(rows[0]?.text ?? '', day)][0] ?? []
    const [most, second] = features.toSorted((one, other) => (other.seats ?? 0) - (one.seats ?? 0))
    if (!daemon || !most || !second) return
    const key = { customerNumber: CUSTOMER, hostId: TRIAD.id, daemon }
    const first = `# Options of ${daemon} on the core servers. Ask simulation-it@aerodyne.example before you change them.
GROUPCASEINSENSITIVE ON

# Teams
GROUP crash arnold bea chiara
GROUP cfd dmitri elif farid
HOST_GROUP lab ws-ar0 ws-ar1

# Interns share two seats.
GROUP interns lucia kemal
MAX 2 ${most.feature} GROUP interns
EXCLUDE ${second.feature} GROUP interns
TIMEOUTALL 7200
`
    const text = `${first}NOLOG IN\n`
    const savedAt = (days: number) => new Date(midnight.getTime() - days * DAY)
    await insertOptionsFile(tx, key)
    await insertVersion(tx, key, { version: 1, text: first, saved_by: BY, saved_at: savedAt(12), restored_from: null })
    await countChange(tx, key, 1)
    await insertVersion(tx, key, { version: 2, text, saved_by: BY, saved_at: savedAt(5), restored_from: null })
    const reservation = {
      feature: most.feature,
      group: 'crash',
      seats: 2,
      from: addDays(day, -2),
      to: addDays(day, 12),
      weekdays: [1, 2, 3, 4, 5],
    }
    const { group, from, to, ...rest } = reservation
    await saveReservationRow(tx, key, RESERVATION_ID, {
      ...rest,
      group_name: group,
      first_day: from,
      last_day: to,
      saved_by: BY,
      saved_at: savedAt(3),
      revision: 1,
    })
    await countChange(tx, key, 0)
    const [current = '', behind = ''] = TRIAD.name.split(',')
    const report = { day, outcome: 'installed', message: null, reported_at: midnight } as const
    const sha256 = sha256Of(optionsFileOfDay(text, [reservation], day))
    await saveInstall(tx, key, { ...report, machine: current, version: 2, sha256 })
    await saveInstall(tx, key, {
      ...report,
      machine: behind,
      version: 1,
      sha256: sha256Of(first),
      reported_at: savedAt(8),
    })
  },
}
