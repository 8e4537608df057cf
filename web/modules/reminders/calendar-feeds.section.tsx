import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconCalendarPlus, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type CalendarFeed, MAX_FEED_NAME } from '#contract/reminders/reminders.ts'
import { Loaded } from '#web/form/loaded.tsx'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useCan } from '#web/lib/customer.tsx'
import { timeText } from '#web/lib/format.ts'
import { calendarFeedsQuery } from '#web/modules/reminders/reminders.api.ts'
import { Card } from '#web/ui/cards.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { Modal } from '#web/ui/overlays/modal.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import classes from './reminders.module.css'

export function CalendarFeeds({ customerNumber }: { customerNumber: string }) {
  return (
    <Card
      title="Calendar of end dates"
      about="Calendar programs read the end dates at a secret address. Whoever knows it can read them too, until you revoke it."
    >
      <Loaded query={calendarFeedsQuery(customerNumber)}>
        {(feeds) => <Feeds customerNumber={customerNumber} feeds={feeds} />}
      </Loaded>
    </Card>
  )
}

function Feeds({ customerNumber, feeds }: { customerNumber: string; feeds: readonly CalendarFeed[] }) {
  const canWrite = useCan('reminders.write')
  const queries = useQueryClient()
  const reload = () => queries.invalidateQueries(calendarFeedsQuery(customerNumber))
  const [made, setMade] = useState<{ name: string; url: string }>()
  const revoking = useSave({
    send: (feed: CalendarFeed, key) =>
      call('revokecalendarfeed', { body: { customerNumber, id: feed.id }, idempotencyKey: key }),
    success: 'The calendar address has been revoked.',
    notDone: 'Nothing was revoked.',
    onSaved: reload,
  })
  const revoke = async (feed: CalendarFeed) => {
    const question = `Revoke the calendar address "${feed.name}"? Calendar programs that use it find nothing there any more.`
    if (await confirm(question, 'Revoke address')) revoking.save(feed)
  }
  return (
    <>
      {feeds.length === 0 ? (
        <p className={classes.none}>There is no calendar address.</p>
      ) : (
        <div className={classes.feeds}>
          <table className="plain-table" aria-label="Calendar addresses">
            <thead>
              <tr>
                <th>Name</th>
                <th>Created by</th>
                <th>Created</th>
                <th>Last read</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {feeds.map((feed) => (
                <tr key={feed.id}>
                  <td data-label="Name">{feed.name}</td>
                  <td data-label="Created by">{feed.createdBy}</td>
                  <td data-label="Created">{timeText(feed.createdAt)}</td>
                  <td data-label="Last read">{feed.usedAt ? timeText(feed.usedAt) : 'Never'}</td>
                  <td className={classes.act}>
                    {canWrite && (
                      <Tooltip label="Revoke">
                        <ActionIcon
                          variant="subtle"
                          color="red"
                          aria-label={`Revoke ${feed.name}`}
                          disabled={revoking.isSaving}
                          onClick={() => revoke(feed)}
                        >
                          <IconTrash size={16} />
                        </ActionIcon>
                      </Tooltip>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {canWrite && (
        <NewFeed
          customerNumber={customerNumber}
          onMade={(name, url) => {
            setMade({ name, url })
            void reload()
          }}
        />
      )}
      <Modal
        opened={made !== undefined}
        onClose={() => setMade(undefined)}
        title={`Calendar address "${made?.name}"`}
        size="lg"
      >
        <p className={classes.about}>
          Copy the address now. It is not shown again. In your calendar program, add a calendar by its address (in
          Outlook: Add calendar, Subscribe from web).
        </p>
        <div className={classes.address}>
          <code>{made?.url}</code>
          <CopyButton value={made?.url ?? ''} what="address" />
        </div>
      </Modal>
    </>
  )
}

function NewFeed({ customerNumber, onMade }: { customerNumber: string; onMade(name: string, url: string): void }) {
  const [name, setName] = useState('')
  const creating = useSave({
    send: (wanted: string, key) =>
      call('createcalendarfeed', { body: { customerNumber, name: wanted }, idempotencyKey: key }),
    success: 'The calendar address has been created.',
    onSaved: ({ feed, url }) => {
      setName('')
      onMade(feed.name, url)
    },
  })
  return (
    <form
      className={classes.create}
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() && !creating.isSaving) creating.save(name.trim())
      }}
    >
      <TextInput
        label="Name of a new address"
        description="For example the person or team who uses it"
        value={name}
        maxLength={MAX_FEED_NAME}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button
        type="submit"
        variant="default"
        leftSection={<IconCalendarPlus size={16} aria-hidden />}
        disabled={!name.trim()}
        loading={creating.isSaving}
      >
        Create address
      </Button>
    </form>
  )
}
