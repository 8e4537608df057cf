import type { OptionsWhatIf, getOptionsWhatIf as operation } from '#contract/options-files/options-files.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import type { OptionsReading } from '#domain/license-use/logs/options-reader.ts'
import { checkOptions } from '#domain/options-files/check-options.ts'
import { optionsTextProblem, readOptionsRules } from '#domain/options-files/options-document.ts'
import { compareOptions, isLeftOut } from '#domain/options-files/replay-options.ts'
import { isSameFeature } from '#domain/options-files/reservations.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import {
  countMeasuredRequests,
  findEventsFrom,
  listCheckoutsOf,
  listDenialsOf,
  listSeatLimits,
  loadSettings,
} from '#server/modules/license-use/license-use.public.ts'
import { type KnownDaemon, loadStored, requireDaemon } from '#server/modules/options-files/load-options.ts'
import type { Call, Result } from '#server/operations/route.ts'

const DAYS = 30
/** Sorting and playing so many twice takes about a second. */
const MAX_EVENTS = 300_000

/** Checks an options file, and plays the requests of the last 30 days again under the saved one and this one. */
export async function getOptionsWhatIf(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { body, db } = call
  const known = await requireDaemon(call, body.serverId, body.daemon)
  const stored = await loadStored(db, known)
  const problems = checkOptions(body.text, { ...known, reservations: stored.reservations })
  const { hasPseudonyms } = await loadSettings(db, known.key.customerNumber)
  const isReadable = optionsTextProblem(body.text) === undefined
  const replay = hasPseudonyms || !isReadable ? null : await replayAll(call, known, stored.text)
  return { data: { problems, hasPseudonyms, replay } }
}

async function replayAll(
  { body, db }: Call<typeof operation>,
  { key, features: served, today }: KnownDaemon,
  saved: string,
): Promise<OptionsWhatIf['replay']> {
  const month = { from: addDays(today, 1 - DAYS), to: today }
  const [before, after] = [readOptionsRules(saved), readOptionsRules(body.text)]
  const measured = (await countMeasuredRequests(db, key, month)).filter(({ feature }) =>
    served.some((one) => isSameFeature(one.feature, feature)),
  )
  if (measured.length === 0) return null
  const names = measured.map(({ feature }) => feature)
  const from = await findEventsFrom(db, key.customerNumber, names, month, key.hostId)
  if (from === null) return null
  if (measured.reduce((sum, { count }) => sum + count, 0) > MAX_EVENTS)
    throw new BusinessRefusal(
      'TOO_MANY_ROWS',
      `More than ${MAX_EVENTS.toLocaleString('en-US')} requests were measured in ${DAYS} days, too many to play them again.`,
    )
  const range = { from, to: today }
  const replayed: { feature: string; checkouts: number; denials: number; avoided: number; added: number }[] = []
  for (const feature of names) replayed.push(await replayFeature(feature, range))
  const sum = (count: (one: (typeof replayed)[number]) => number) => replayed.reduce((all, one) => all + count(one), 0)
  return {
    ...range,
    checkouts: sum((one) => one.checkouts),
    denials: sum((one) => one.denials),
    avoided: sum((one) => one.avoided),
    added: sum((one) => one.added),
    features: replayed
      .filter(({ avoided, added }) => avoided + added > 0)
      .map(({ feature, avoided, added }) => ({ feature, avoided, added })),
    leftOut: after.rules.filter(isLeftOut).map(({ line }) => line),
  }

  async function replayFeature(feature: string, range: DayRange) {
    const scope = { ...key, feature }
    const checkouts = await listCheckoutsOf(db, scope, range)
    const denials = await listDenialsOf(db, scope, range)
    const counts = { feature, checkouts: checkouts.length, denials: denials.length }
    if (isSameFor(feature, before, after)) return { ...counts, avoided: 0, added: 0 }
    const all = await listSeatLimits(db, key.customerNumber, feature, range)
    const limits = all.filter(({ hostId }) => hostId === key.hostId)
    return { ...counts, ...compareOptions(before, after, feature, { checkouts, denials, limits }) }
  }
}

/** Most edits change the rules of one feature: the requests of the others need not be played again. */
function isSameFor(feature: string, before: OptionsReading, after: OptionsReading): boolean {
  const relevant = ({ rules, groups, hostGroups, caseInsensitiveGroups }: OptionsReading) =>
    JSON.stringify([
      rules
        .filter((one) => one.feature === null || isSameFeature(one.feature, feature))
        .map(({ line: _, ...rule }) => rule),
      groups,
      hostGroups,
      caseInsensitiveGroups,
    ])
  return relevant(before) === relevant(after)
}
