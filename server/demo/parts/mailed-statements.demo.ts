import { addDays, type CalendarDay } from '#domain/calendar/calendar-day.ts'
import { addMonths } from '#domain/calendar/calendar-periods.ts'
import { mailedPeriod, type StatementKind } from '#domain/elastic/statements/mailed-statement.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { freezeStatement } from '#server/modules/elastic/statements/freeze-statement.ts'
import { createPdfMaker } from '#server/pdf/pdf-maker.ts'

const ACCOUNT = '100001'
const BY = 'ada.admin@aerodyne.example'
const LETTERHEAD = { name: 'Licensing Portal', color: '#3451b2' }

/**
 * Statements that were mailed, the older ones first. The last month and week are not mailed, so that people can try it.
 */
const mailedDays = (today: CalendarDay): (readonly [kind: StatementKind, day: CalendarDay])[] => [
  ['monthly', addMonths(today, -2)],
  ['monthly', addMonths(today, -1)],
  ['weekly', addDays(today, -7)],
]

export const mailedStatements: DemoPart = {
  name: 'mailed statements',
  async load(tx, world) {
    const { makePdf, close } = createPdfMaker({ workers: 1 })
    const services = { makePdf, loadLetterhead: async () => LETTERHEAD }
    const { time_zone } = await tx
      .selectFrom('account')
      .select('time_zone')
      .where('customer_number', '=', ACCOUNT)
      .executeTakeFirstOrThrow()
    try {
      for (const [kind, day] of mailedDays(world.today(time_zone))) {
        const key = { customerNumber: ACCOUNT, kind, period: mailedPeriod(kind, day), activationId: '' }
        await freezeStatement(tx, services, key, { at: world.midnight, by: BY })
      }
    } finally {
      await close()
    }
  },
}
