import { IconAlertTriangleFilled, IconClock, IconPaperclip } from '@tabler/icons-react'
import { EMAIL_DELIVERIES } from '#contract/messages/email-list.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import type { EmailRow } from '#web/modules/messages/emails.api.ts'
import type { Column } from '#web/table/columns/column.ts'
import { textColumn, timeColumn, valuesColumn } from '#web/table/columns/column-kinds.ts'
import classes from './emails.module.css'

export function emailColumns(onShow: (row: EmailRow) => void): readonly Column<EmailRow>[] {
  return [
    {
      id: 'details',
      header: 'Show Details',
      width: 32,
      isHeadHidden: true,
      isSortable: false,
      text: () => '',
      cell: (row) => (
        <input
          type="checkbox"
          className={classes.tick}
          checked={false}
          aria-label={`Show details of ${row.subject}`}
          onChange={() => onShow(row)}
        />
      ),
    },
    timeColumn('date', 'Date', 155, { phone: 'second line' }),
    textColumn('subject', 'Subject', 340, {
      flexible: { min: 240 },
      phone: 'first line',
      cell: (row) => <Subject email={row} />,
    }),
    valuesColumn('to', 'To', 292, { phone: 'second line' }),
    textColumn('delivery', 'Delivery', 130, { filter: { kind: 'text', hasValues: EMAIL_DELIVERIES }, isHidden: true }),
  ]
}

function Subject({ email }: { email: EmailRow }) {
  return (
    <span className={classes.subject}>
      <span className={classes.subjectLine}>
        <PortalLink to={`/emails/${email.id}`} className={classes.subjectText}>
          {email.subject}
        </PortalLink>
        {email.attachments > 0 && <IconPaperclip size={15} aria-label="With attachments" />}
      </span>
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
