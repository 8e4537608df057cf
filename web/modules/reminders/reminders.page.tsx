import { Loaded } from '#web/form/loaded.tsx'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { timeText, ZONE_NOTE } from '#web/lib/format.ts'
import { CalendarFeeds } from '#web/modules/reminders/calendar-feeds.section.tsx'
import { remindersQuery } from '#web/modules/reminders/reminders.api.ts'
import { BalancesForm, BudgetsForm, EventsForm } from '#web/modules/reminders/reminders.form.tsx'
import { Card, Cards } from '#web/ui/cards.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './reminders.module.css'

export function Page() {
  const { number, standing } = useKnownCustomer()
  return (
    <>
      <PageHead context={ZONE_NOTE} />
      <Cards>
        {standing.isAccessDisabled && (
          <SignalStrip signal="orange">
            Access to this account is disabled. Until it is enabled, no reminders are emailed and calendar addresses are
            not answered.
          </SignalStrip>
        )}
        <Loaded query={remindersQuery(number)}>
          {(loaded) => (
            <>
              <Card title="Reminders by email">
                <EventsForm customerNumber={number} loaded={loaded} />
              </Card>
              <Card
                title="Balances that run low"
                about="One email for each balance and threshold, when this much or less is left, in the units or currency of the balance."
              >
                <BalancesForm customerNumber={number} loaded={loaded} />
              </Card>
              <Card
                title="Budgets"
                about="What a project or a user can spend on elastic licenses in a month. Budgets only warn."
              >
                <BudgetsForm customerNumber={number} loaded={loaded} />
              </Card>
              {loaded.sent.length > 0 && <Sent sent={loaded.sent} />}
            </>
          )}
        </Loaded>
        <CalendarFeeds customerNumber={number} />
      </Cards>
    </>
  )
}

function Sent({ sent }: { sent: readonly { text: string; sentAt: string }[] }) {
  return (
    <Card title="Reminders that were emailed">
      <ul className={classes.sent}>
        {sent.map(({ text, sentAt }) => (
          <li key={sentAt + text}>
            <time dateTime={sentAt}>{timeText(sentAt)}</time>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
