import { Paper, Title } from '@mantine/core'
import { Loaded } from '#web/form/loaded.tsx'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { timeText, ZONE_NOTE } from '#web/lib/format.ts'
import { CalendarFeeds } from '#web/modules/reminders/calendar-feeds.section.tsx'
import { remindersQuery } from '#web/modules/reminders/reminders.api.ts'
import { RemindersForm } from '#web/modules/reminders/reminders.form.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './reminders.module.css'

export function Page() {
  const { number, standing } = useKnownCustomer()
  return (
    <>
      <PageHead context={ZONE_NOTE} />
      <div className={classes.cards}>
        {standing.isAccessDisabled && (
          <SignalStrip signal="orange">
            Access to this account is disabled. Until it is enabled, no reminders are emailed and calendar addresses are
            not answered.
          </SignalStrip>
        )}
        <Loaded query={remindersQuery(number)}>
          {(loaded) => (
            <>
              <Paper component="section" className={classes.card} aria-labelledby="reminders">
                <Title order={2} id="reminders">
                  Reminders by email
                </Title>
                <RemindersForm customerNumber={number} loaded={loaded} />
              </Paper>
              {loaded.sent.length > 0 && <Sent sent={loaded.sent} />}
            </>
          )}
        </Loaded>
        <CalendarFeeds customerNumber={number} />
      </div>
    </>
  )
}

function Sent({ sent }: { sent: readonly { text: string; sentAt: string }[] }) {
  return (
    <Paper component="section" className={classes.card} aria-labelledby="sent">
      <Title order={2} id="sent">
        Reminders that were emailed
      </Title>
      <ul className={classes.sent}>
        {sent.map(({ text, sentAt }) => (
          <li key={sentAt + text}>
            <time dateTime={sentAt}>{timeText(sentAt)}</time>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </Paper>
  )
}
