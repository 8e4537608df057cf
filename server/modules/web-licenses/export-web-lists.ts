import { Readable } from 'node:stream'
import { MAX_FETCH_ALL } from '#contract/kit/list.ts'
import {
  WEB_CHECKOUT_COLUMNS,
  WEB_DENIAL_COLUMNS,
  type webCheckoutList,
  type webDenialList,
} from '#contract/web-licenses/web-checkout-lists.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import type { CsvColumns } from '#server/lists/list-csv.ts'
import { tooManyRows } from '#server/lists/list-limits.ts'
import type { ListFields, ListSource } from '#server/lists/list-source.ts'
import { webCheckoutSource, webDenialSource } from '#server/modules/web-licenses/web-checkout.list.ts'
import type { WebScope } from '#server/modules/web-licenses/web-licenses.list.ts'
import { type Call, CsvFile } from '#server/operations/route.ts'

export const exportCheckouts = (call: Call<typeof webCheckoutList.exportCsv>) =>
  exportList(call, webCheckoutSource, WEB_CHECKOUT_COLUMNS, 'web-transactions')

export const exportWebDenials = (call: Call<typeof webDenialList.exportCsv>) =>
  exportList(call, webDenialSource, WEB_DENIAL_COLUMNS, 'web-denials')

/** Everything that matches, in the columns of the screen. */
async function exportList<F extends ListFields>(
  call: Call<typeof webCheckoutList.exportCsv | typeof webDenialList.exportCsv>,
  source: ListSource<WebScope, F>,
  columns: CsvColumns<F>,
  name: string,
): Promise<CsvFile> {
  const { body, db, later, now, standing, timeZone } = call
  const { lists } = call.services
  const { customerNumber } = standing
  const found = await lists.count(db, source, { customerNumber }, body, { timeZone, atMost: MAX_FETCH_ALL + 1 })
  if (found > MAX_FETCH_ALL) throw tooManyRows()
  const pieces = lists.csv(db, source, { customerNumber }, { ...body, columns }, { timeZone, later })
  // The first piece is read before anything is sent: until then the answer can still be an error.
  const first = await pieces.next()
  const fileName = `${name}_${customerNumber}_${dayIn(timeZone, now)}.csv`
  const { customerNumber: _, ...asked } = body
  await call.audit({ target: fileName, after: asked })
  const bytes = async function* () {
    if (!first.done) yield first.value.bytes
    for await (const piece of pieces) yield piece.bytes
  }
  return new CsvFile(fileName, Readable.from(bytes()))
}
