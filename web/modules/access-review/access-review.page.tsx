import { Button } from '@mantine/core'
import { IconClipboardCheck } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReviewState } from '#contract/access-review/access-review.ts'
import { progressText } from '#domain/access-review/decision.ts'
import { Loaded } from '#web/form/loaded.tsx'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText } from '#web/lib/format.ts'
import { reloadReviews, settingsQuery, stateQuery } from '#web/modules/access-review/access-review.api.ts'
import { AccessNow, ReviewEntries } from '#web/modules/access-review/access-tables.tsx'
import { FinishedReviews } from '#web/modules/access-review/finished-reviews.tsx'
import { ScheduleForm } from '#web/modules/access-review/schedule.form.tsx'
import { AddressedTabs } from '#web/ui/addressed-tabs.tsx'
import { Card } from '#web/ui/cards.tsx'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Who has access to the account: to look at, and in a review to decide on. */
export function Page() {
  const { number } = useKnownCustomer()
  const { data, error, refetch } = useQuery(stateQuery(number))
  if (error)
    return (
      <>
        <PageHead />
        <FailureNotice failure={error} onRetry={refetch} />
      </>
    )
  if (!data)
    return (
      <>
        <PageHead />
        <Skeleton />
      </>
    )
  return (
    <>
      <PageHead context={contextOf(data)} actions={<ReviewButton state={data} />} />
      <AddressedTabs
        label="Access review"
        tabs={['access', 'finished', 'schedule']}
        contents={{
          access: {
            title: data.review ? 'Review' : 'Access',
            content: () =>
              data.review ? <ReviewEntries key={data.review.id} reviewId={data.review.id} /> : <AccessNow />,
          },
          finished: { title: 'Finished Reviews', content: () => <FinishedReviews /> },
          schedule: { title: 'Schedule', content: () => <Schedule /> },
        }}
      />
    </>
  )
}

function Schedule() {
  const { number } = useKnownCustomer()
  return (
    <Card title="Schedule" about="When reviews are opened, and how long administrators have to decide.">
      <Loaded query={settingsQuery(number)}>
        {(settings) => <ScheduleForm key={number} customerNumber={number} settings={settings} />}
      </Loaded>
    </Card>
  )
}

function contextOf({ review, nextOpening, today }: ReviewState): string {
  if (review) {
    const { open, kept, takenAway, gone, dueOn } = review
    const due = dueOn < today ? `It was due on ${dueOn}` : `It is due on ${dueOn}`
    return `${due}: ${progressText({ open, kept, 'taken-away': takenAway, gone })}.`
  }
  return nextOpening === null
    ? 'Everybody and everything with access to the account now.'
    : `Everybody and everything with access to the account now. The next review opens on ${nextOpening}.`
}

/** The one act of the page: it opens a review, or finishes the one that is open. */
function ReviewButton({ state: { review } }: { state: ReviewState }) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const onSaved = () => reloadReviews(queries)
  const opening = useSave({
    send: (_: undefined, key) => call('access-review/open', { body: { customerNumber: number }, idempotencyKey: key }),
    success: ({ dueOn }) => `The review is open. It is due on ${dueOn}, and administrators have got an email.`,
    notDone: 'No review was opened.',
    onSaved,
    onFailed() {
      void reloadReviews(queries)
      return false
    },
  })
  const finishing = useSave({
    send: (reviewId: string, key) =>
      call('access-review/finish', { body: { customerNumber: number, reviewId }, idempotencyKey: key }),
    success: 'The review is finished. Its signed report is under Finished Reviews.',
    notDone: 'The review was not finished.',
    onSaved,
    onFailed() {
      void reloadReviews(queries)
      return false
    },
  })
  if (!review)
    return (
      <Button
        leftSection={<IconClipboardCheck size={16} aria-hidden />}
        loading={opening.isSaving}
        onClick={() => opening.save(undefined)}
      >
        Open a review
      </Button>
    )
  const finish = async () => {
    const left =
      review.open === 0
        ? 'Everything is decided.'
        : `${countText(review.open)} ${review.open === 1 ? 'access is' : 'accesses are'} not decided. They stay, and the report says so.`
    const question = `${left} Nothing can be decided in this review afterwards.`
    if (await confirm(question, 'Finish review')) finishing.save(review.id)
  }
  return (
    <Button leftSection={<IconClipboardCheck size={16} aria-hidden />} loading={finishing.isSaving} onClick={finish}>
      Finish review
    </Button>
  )
}
