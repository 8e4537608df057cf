import { Checkbox } from '@mantine/core'
import { IconAlertTriangleFilled, IconClock, IconPaperclip } from '@tabler/icons-react'
import { timeText } from '#web/lib/time-text.ts'
import type { EmailRow } from '#web/modules/messages/emails.api.ts'
import { CONTAINS_OR_EQUALS, type Column } from '#web/ui/grid/model/column.ts'
import classes from './emails.module.css'

const text = { kind: 'text', methods: CONTAINS_OR_EQUALS } as const

export function emailColumns(onShow: (id: string) => void): readonly Column<EmailRow>[] {
  return [
    {
      id: 'details',
      header: 'Show Details',
      width: 116,
      isSortable: false,
      // Never shown, but another text is what tells the grid that the line now holds another e-mail.
      text: (row) => row.id,
      cell: (row) => (
        <span className={classes.tick}>
          <Checkbox
            size="xs"
            checked={false}
            aria-label={`Show details of ${row.subject}`}
            onChange={() => onShow(row.id)}
          />
        </span>
      ),
    },
    { id: 'date', header: 'Date', width: 190, filter: { kind: 'time' }, text: (row) => timeText(row.date) },
    {
      id: 'subject',
      header: 'Subject',
      width: 340,
      filter: text,
      text: (row) => row.subject,
      cell: (row) => <Subject email={row} />,
    },
    { id: 'to', header: 'To', width: 260, filter: text, text: (row) => row.to },
  ]
}

function Subject({ email }: { email: EmailRow }) {
  return (
    <span className={classes.subject}>
      <span className={classes.subjectText} title={email.subject}>
        {email.subject}
      </span>
      {email.attachments > 0 && <IconPaperclip size={15} aria-label="With attachments" />}
      {email.delivery === 'failed' && (
        <span className={classes.delivery} data-signal="red">
          <IconAlertTriangleFilled size={13} aria-hidden /> Not delivered
        </span>
      )}
      {email.delivery === 'queued' && (
        <span className={classes.delivery} data-signal="blue">
          <IconClock size={14} aria-hidden /> Waiting
        </span>
      )}
    </span>
  )
}
