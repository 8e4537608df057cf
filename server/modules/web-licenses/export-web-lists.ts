import { Readable } from 'node:stream'
import { MAX_FETCH_ALL } from '#contract/kit/list.ts'
import { WEB_CHECKOUT_COLUMNS, type webCheckoutList } from '#contract/web-licenses/web-checkout-lists.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { tooManyRows } from '#server/lists/list-limits.ts'
import { webCheckoutSource } from '#server/modules/web-licenses/web-checkout.list.ts'
import { type Call, CsvFile } from '#server/operations/route.ts'

/** Everything that matches, in the columns of the screen. */
export async function exportCheckouts(call: Call<typeof webCheckoutList.exportCsv>): Promise<CsvFile> {
  const { body, db, later, now, standing, timeZone } = call
  const { lists } = call.services
  const { customerNumber } = standing
  const found = await lists.count(db, webCheckoutSource, { customerNumber }, body, {
    timeZone,
    atMost: MAX_FETCH_ALL + 1,
  })
  if (found > MAX_FETCH_ALL) throw tooManyRows()
  const request = { ...body, columns: WEB_CHECKOUT_COLUMNS }
  const pieces = lists.csv(db, webCheckoutSource, { customerNumber }, request, { timeZone, later })
  // The first piece is read before anything is sent: until then the answer can still be an error.
  const first = await pieces.next()
  const fileName = `web-transactions_${customerNumber}_${dayIn(timeZone, now)}.csv`
  const { customerNumber: _, ...asked } = body
  await call.audit({ target: fileName, after: asked })
  const bytes = async function* () {
    if (!first.done) yield first.value.bytes
    for await (const piece of pieces) yield piece.bytes
  }
  return new CsvFile(fileName, Readable.from(bytes()))
}
