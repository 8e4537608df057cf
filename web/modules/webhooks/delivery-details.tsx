import type { Delivery, DeliveryDetails } from '#contract/webhooks/webhooks.ts'
import { Loaded } from '#web/form/loaded.tsx'
import { countText, timeText } from '#web/lib/format.ts'
import { deliveryQuery } from '#web/modules/webhooks/webhooks.api.ts'
import { Facts } from '#web/ui/facts.tsx'
import { Sides } from '#web/ui/sides.tsx'
import classes from './webhooks.module.css'

/** Both sides of a delivery: what was sent, and what each attempt answered. */
export function Details({ customerNumber, delivery }: { customerNumber: string; delivery: Delivery }) {
  const { id, url, nextAttemptAt } = delivery
  return (
    <div className={classes.details}>
      <Facts
        layout="line"
        facts={[
          ['Id', id],
          ['URL', url],
          ['Next attempt', nextAttemptAt && timeText(nextAttemptAt)],
        ]}
      />
      <Loaded query={deliveryQuery(customerNumber, delivery)}>
        {({ body, attempts }) => (
          <>
            {attempts.length === 0 && <Sides sides={[['Body', indented(body)]]} />}
            {attempts.map((attempt) => (
              <Attempt key={attempt.number} attempt={attempt} body={body} />
            ))}
          </>
        )}
      </Loaded>
    </div>
  )
}

function Attempt({ attempt, body }: { attempt: DeliveryDetails['attempts'][number]; body: string }) {
  const { number, time, milliseconds, status, trouble, requestHeaders, responseHeaders, responseBody } = attempt
  const outcome = trouble === '' ? `Answered ${status}` : trouble
  return (
    <section className={classes.attempt} aria-label={`Attempt ${number}`}>
      <h3>
        Attempt {number}, {timeText(time)}: {outcome} ({countText(milliseconds)} ms)
      </h3>
      <Sides
        sides={[
          ['Sent', `${headerLines(requestHeaders)}\n\n${indented(body)}`],
          ['Answered', status === null ? 'No answer' : `${headerLines(responseHeaders)}\n\n${responseBody}`],
        ]}
      />
    </section>
  )
}

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** The body is JSON of the portal's own making. */
const indented = (body: string) => JSON.stringify(JSON.parse(body), null, 2)
