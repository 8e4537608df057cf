import { NO_REMINDERS } from '#domain/reminders/reminders.ts'
import { DEMO_REMINDERS } from '#server/demo/parts/reminders.demo.ts'
import { NO_ID } from '#server/testing/samples/given.ts'
import { notShutOut, writers } from '#server/testing/samples/rules.ts'
import { missing, on, type Samples } from '#server/testing/samples/sample.ts'
import { about, type Walk } from '#server/testing/samples/walk.ts'

export const remindersSamples: Samples = {
  rows: {
    getreminders: on(notShutOut),
    setreminders: on(writers, (number) => {
      const kept = number === '100001' ? DEMO_REMINDERS : NO_REMINDERS
      return { reminders: kept, revision: 0 }
    }),
    calendarfeeds: on(notShutOut),
    createcalendarfeed: on(writers, { name: 'Matrix' }),
    revokecalendarfeed: missing(writers, { id: NO_ID }),
  },
  walk: remind,
}

async function remind({ call }: Walk): Promise<void> {
  const { body } = await call('createcalendarfeed', { body: { ...about, name: 'Every operation' } })
  const feed = body.data as { feed: { id: string } } | undefined
  await call('revokecalendarfeed', { body: { ...about, id: feed?.feed.id ?? NO_ID } })
  const recipients = ['ada.admin@aerodyne.example']
  const reminders = { ...NO_REMINDERS, recipients, leadDays: [60] }
  await call('setreminders', { body: { ...about, reminders, revision: 0 } })
}
