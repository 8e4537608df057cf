import type { Kysely } from 'kysely'
import {
  type exportLicenseUse as exportOperation,
  type FeatureUse,
  type getFeatureUse as featureOperation,
  type HostReport,
  licenseUseFileName,
  type getLicenseUse as operation,
  type getLicenseUsePdf as pdfOperation,
} from '#contract/license-use/license-use.ts'
import { type CalendarDay, dayIn } from '#domain/calendar/calendar-day.ts'
import { silentBefore } from '#domain/license-use/use/silence.ts'
import type { DB } from '#server/db/schema.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { getServer, readMachine } from '#server/modules/activations/activations.public.ts'
import type { HostKey } from '#server/modules/license-use/logs/log.queries.ts'
import { requireHost } from '#server/modules/license-use/named-host.ts'
import { loadRename } from '#server/modules/license-use/pseudonyms.ts'
import { describeLicenseUse } from '#server/modules/license-use/use/license-use-pdf.ts'
import {
  type FeatureRow,
  findFile,
  findRemovedBefore,
  listCauses,
  listCourse,
  listDays,
  listFeatureUse,
  listFeeds,
  listHeat,
  listHolders,
  listLogs,
  listReports,
  listTopUse,
} from '#server/modules/license-use/use/use.queries.ts'
import { readReportRange } from '#server/modules/web-licenses/web-licenses.public.ts'
import { csvTableAnswer, pdfAnswer } from '#server/operations/file-answer.ts'
import type { Call, Result, SentFile } from '#server/operations/route.ts'

export async function getLicenseUse(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { db, now, standing } = call
  const { features, hostId } = await loadUse(call)
  const logs = await listLogs(db, standing.customerNumber, hostId)
  const hosts = (await listReports(db, standing.customerNumber, hostId)).map((row): HostReport => {
    const { hostId: serverId, hostName: serverName, reportedAt, logAt, removedBefore } = row
    const { daemons, firstFileOn, statusAt, statusError, lines, unreadLines, statusProblems } = row
    const own = logs.filter((log) => log.hostId === serverId)
    return {
      serverId,
      serverName,
      daemons,
      firstFileOn,
      reportedAt: reportedAt?.toISOString() ?? null,
      logAt,
      statusAt,
      statusError,
      removedBefore,
      isSilent: reportedAt !== null && reportedAt < silentBefore(now),
      lines,
      unreadLines,
      statusProblems,
      logs: own.map(({ name, lines, unreadLines, firstAt, lastAt, problems }) => ({
        name,
        lines,
        unreadLines,
        firstAt,
        lastAt,
        problems,
      })),
    }
  })
  return { data: { features, hosts } }
}

type AnyCall = Call<typeof operation | typeof exportOperation | typeof pdfOperation>

async function loadUse({ body, db, standing, timeZone }: AnyCall) {
  const range = readReportRange(body, timeZone)
  const { customerNumber } = standing
  const hostId = body.serverId === undefined ? null : (await requireHost(db, customerNumber, body.serverId)).hostId
  const rows = await listFeatureUse(db, { customerNumber, hostId }, range)
  return { range, hostId, features: rows.map(toFeatureUse) }
}

function toFeatureUse(row: FeatureRow): FeatureUse {
  const { hostId, hostName, feature, seatLimit, filedSeats, product, inUse, reserved, queued, isMeasured } = row
  const measured = (value: number) => (isMeasured ? value : null)
  return {
    serverId: hostId,
    serverName: hostName,
    feature,
    seats: seatLimit,
    filedSeats,
    product,
    inUse,
    reserved,
    queued,
    peak: measured(row.peak),
    neverUsed: seatLimit === null ? null : measured(Math.max(0, seatLimit - row.peak)),
    hoursAtLimit: measured(hoursOf(row.secondsAtLimit)),
    seatHours: measured(hoursOf(row.seatSeconds)),
    checkouts: measured(row.checkouts),
    denials: measured(row.denials),
    realDenials: measured(row.realDenials),
  }
}

const hoursOf = (seconds: number) => Math.round(seconds / 36) / 100

const HEADER = [
  'License Server',
  'Server ID',
  'Feature',
  'Seats',
  'Seats in the Portal',
  'In Use Now',
  'Reserved',
  'Queued',
  'Peak',
  'Never Used',
  'Hours at Limit',
  'Seat Hours',
  'Checkouts',
  'Denials',
  'Real Denials',
]

export async function exportLicenseUse(call: Call<typeof exportOperation>): Promise<SentFile> {
  const { features, range } = await loadUse(call)
  const fileName = `${licenseUseFileName(call.standing.customerNumber, range.from, range.to)}.csv`
  const lines = features.map((row) => [
    row.serverName,
    row.serverId,
    row.feature,
    row.seats,
    row.filedSeats,
    row.inUse,
    row.reserved,
    row.queued,
    row.peak,
    row.neverUsed,
    row.hoursAtLimit,
    row.seatHours,
    row.checkouts,
    row.denials,
    row.realDenials,
  ])
  return csvTableAnswer(call, { fileName, header: HEADER, lines })
}

export async function getLicenseUsePdf(call: Call<typeof pdfOperation>): Promise<SentFile> {
  const { features, range } = await loadUse(call)
  const { customerNumber } = call.standing
  const { name } = await loadAccount(call.db, customerNumber)
  const header = { customerNumber, customerName: name, timeZone: call.timeZone, ...range }
  const fileName = `${licenseUseFileName(customerNumber, range.from, range.to)}.pdf`
  return pdfAnswer(call, fileName, describeLicenseUse(features, header))
}

export async function getFeatureUse(call: Call<typeof featureOperation>): Promise<Result<typeof featureOperation>> {
  const { body, db, now, standing, timeZone } = call
  const { customerNumber } = standing
  const range = readReportRange(body, timeZone)
  const { hostId } = await requireHost(db, customerNumber, body.serverId)
  const scope = { customerNumber, hostId, feature: body.feature, range }
  const days = await listDays(db, scope)
  const lastDay = days.at(-1)?.day ?? range.to
  const day = body.day === undefined ? lastDay : readReportRange({ from: body.day, to: body.day }, timeZone).from
  const rename = await loadRename(db, customerNumber)
  const renamed = <R extends { user: string }>(rows: readonly R[]) =>
    rows.map((row) => ({ ...row, user: rename(row.user) }))
  return {
    data: {
      heat: await listHeat(db, scope),
      days,
      day,
      course: await listCourse(db, { ...scope, range: { from: day, to: day } }),
      users: (await listTopUse(db, scope, 'user_name')).map((row) => ({ ...row, name: rename(row.name) })),
      hosts: await listTopUse(db, scope, 'user_host'),
      holders: renamed(await listHolders(db, scope)),
      feeds: await listFeeds(db, scope),
      file: await loadFile(db, scope, dayIn(timeZone, now)),
      causes: await listCauses(db, scope),
      removedBefore: await findRemovedBefore(db, scope),
    },
  }
}

async function loadFile(db: Kysely<DB>, key: HostKey, today: CalendarDay) {
  const file = await findFile(db, key)
  if (!file) return null
  const { isOutOfDate } = await getServer(db, key.customerNumber, readMachine(key.hostId), today)
  return { id: file.id, generatedAt: file.generatedAt.toISOString(), isOutOfDate }
}
