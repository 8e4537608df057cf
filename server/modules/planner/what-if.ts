import type { getWhatIf as operation } from '#contract/planner/planner.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { toUseSteps } from '#domain/license-use/use/seats-in-use.ts'
import { countFreeElsewhere } from '#domain/planner/free-elsewhere.ts'
import { seatHoursAbove, unitsFor } from '#domain/planner/proposals.ts'
import { replay } from '#domain/planner/what-if.ts'
import { HttpError } from '#server/http/http-error.ts'
import {
  findEventsFrom,
  listMeasuredFeatures,
  listMeasuredIntervals,
  listRealDenials,
  listSeatLimits,
} from '#server/modules/license-use/license-use.public.ts'
import { loadPlanner, readRange } from '#server/modules/planner/load-planner.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** Plays the measured events of all features of a product again, with other numbers of seats. */
export async function getWhatIf(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { body, db, standing } = call
  const { customerNumber } = standing
  const range = readRange(call)
  const product = (await loadPlanner(call, range)).find((one) => one.product === body.product)
  if (!product) throw new HttpError(404, `This account has no ${body.product} for license servers.`)
  const measured = (await listMeasuredFeatures(db, customerNumber, range)).map(({ feature }) => feature)
  const features = measured.filter((feature) => product.features.includes(feature))
  const eventsFrom = features.length === 0 ? null : await findEventsFrom(db, customerNumber, features, range)
  if (eventsFrom === null) {
    const results = body.seats.map((seats) => ({ seats, denials: null, unitsAbove: null }))
    return { data: { eventsFrom, realDenials: null, deniedWhileFree: null, results } }
  }
  const replayed: Awaited<ReturnType<typeof replayFeature>>[] = []
  for (const feature of features) replayed.push(await replayFeature(call, feature, { from: eventsFrom, to: range.to }))
  const sum = (count: (one: (typeof replayed)[number]) => number) => replayed.reduce((all, one) => all + count(one), 0)
  const { unitsPerHour } = product
  const results = body.seats.map((seats, index) => {
    const denials = sum((one) => one.denials[index] ?? 0)
    // One seat of the product gives one of each feature: the feature that is used most decides.
    const hoursAbove = Math.max(...replayed.map((one) => one.hoursAbove[index] ?? 0))
    return { seats, denials, unitsAbove: unitsPerHour === null ? null : unitsFor(hoursAbove, unitsPerHour) }
  })
  return {
    data: {
      eventsFrom,
      realDenials: sum((one) => one.realDenials),
      deniedWhileFree: sum((one) => one.deniedWhileFree),
      results,
    },
  }
}

async function replayFeature({ body, db, standing }: Call<typeof operation>, feature: string, range: DayRange) {
  const { customerNumber } = standing
  const checkouts = await listMeasuredIntervals(db, customerNumber, feature, range)
  const denials = await listRealDenials(db, customerNumber, feature, range)
  const limits = denials.length === 0 ? [] : await listSeatLimits(db, customerNumber, feature, range)
  const steps = toUseSteps(checkouts)
  const until = checkouts.reduce((last, { to }) => Math.max(last, to), 0)
  return {
    realDenials: denials.length,
    deniedWhileFree: countFreeElsewhere({ checkouts, denials, limits }),
    denials: body.seats.map(replay({ checkouts, denials })),
    hoursAbove: body.seats.map((seats) => seatHoursAbove(steps, seats, until)),
  }
}
