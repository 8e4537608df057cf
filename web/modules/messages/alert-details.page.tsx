import { Anchor, Paper, Text } from '@mantine/core'
import { IconBellOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { isSafeLink } from '#domain/messages/alert-draft.ts'
import { type AlertLink, isExpired } from '#domain/messages/alerts.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { hasCode } from '#web/lib/api/api-error.ts'
import { minuteText, READER_ZONE } from '#web/lib/format.ts'
import { serverTime } from '#web/lib/server-time.ts'
import { AlertActions } from '#web/modules/messages/alert-actions.tsx'
import { AlertStatusMark } from '#web/modules/messages/alert-columns.tsx'
import { type AlertRecord, alertQuery } from '#web/modules/messages/alerts.api.ts'
import { joinWithAnd } from '#web/modules/messages/banner-text.ts'
import { CategoryMark } from '#web/modules/messages/category-mark.tsx'
import { NoSuchMessage } from '#web/modules/messages/no-such-message.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './alerts.module.css'

export function Page() {
  const { id = '' } = useParams()
  const { data: alert, error, refetch } = useQuery(alertQuery(id))
  if (alert) return <AlertDetails alert={alert} />
  if (hasCode(error, 'NOT_FOUND', 'INVALID_REQUEST')) return <NoSuchAlert />
  return (
    <>
      <PageHead />
      {error ? <FailureNotice failure={error} onRetry={refetch} /> : <Spinner text="Getting Alerts..." />}
    </>
  )
}

function AlertDetails({ alert }: { alert: AlertRecord }) {
  // Other addresses (javascript:) must not run on a click.
  const links = alert.links.filter(isSafeLink)
  return (
    <>
      <PageHead
        title={<CategoryMark category={alert.category} size={22} isOver={alert.status === 'RESOLVED'} />}
        context={joinWithAnd(alert.service)}
        actions={<AlertActions alert={alert} />}
      />
      <Paper p="1.25rem">
        <p className={classes.description}>{alert.description}</p>
        <div className={classes.facts}>
          <Facts
            facts={[
              ['Status', <AlertStatusMark alert={alert} />],
              ['Date', <Time at={alert.date} />],
              ['Expires', <Expiry alert={alert} />],
              [
                'Category',
                <Anchor component={PortalLink} to={`/notifications-category/${alert.category}`}>
                  <CategoryMark category={alert.category} />
                </Anchor>,
              ],
              ['Services', alert.service.join(', ')],
              ['Links', links.length > 0 && <Links links={links} />],
            ]}
          />
        </div>
      </Paper>
    </>
  )
}

function Time({ at }: { at: string }) {
  return (
    <time dateTime={at}>
      {minuteText(at)} ({READER_ZONE})
    </time>
  )
}

function Expiry({ alert }: { alert: AlertRecord }) {
  if (!alert.expires) return 'Never'
  return (
    <>
      <Time at={alert.expires} />
      {isExpired(alert, serverTime()) && (
        <Text span size="sm" c="dimmed" ml="0.5rem">
          expired
        </Text>
      )}
    </>
  )
}

function Links({ links }: { links: readonly AlertLink[] }) {
  return links.map(({ text, url }) => (
    <div key={`${text} ${url}`}>
      <Anchor href={url} target="_blank" rel="noopener noreferrer">
        {text}
      </Anchor>
    </div>
  ))
}

const NoSuchAlert = () => (
  <NoSuchMessage noun="alert" icon={IconBellOff} all="/notifications">
    The address may be incomplete.
  </NoSuchMessage>
)
