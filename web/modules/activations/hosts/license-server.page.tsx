import { Anchor, Button, Group, Paper, Text, Title } from '@mantine/core'
import {
  IconChartHistogram,
  IconChevronDown,
  IconListCheck,
  IconPlus,
  IconServerBolt,
  IconServerOff,
  IconTrash,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link, useParams } from 'react-router'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { hostIdLabel, hostParts, licenseServerPath, optionsFilesPath } from '#domain/activations/hosts/host.ts'
import { canDeleteHost } from '#domain/activations/hosts/host-list.ts'
import { withCustomer } from '#web/lib/address/portal-address.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { hasCode } from '#web/lib/api/api-error.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { countOf, timeText } from '#web/lib/format.ts'
import { noteRecent } from '#web/lib/kept/recent-things.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { HOST_ACTIONS, HostDialogs } from '#web/modules/activations/activations.actions.tsx'
import {
  type KnownServer,
  licenseFilesQuery,
  type Member,
  membersQuery,
  serverQuery,
} from '#web/modules/activations/activations.api.ts'
import activations from '#web/modules/activations/activations.module.css'
import { activatedProductsCsv } from '#web/modules/activations/history/activated-products.tsx'
import history from '#web/modules/activations/history/history.module.css'
import { HistoryTree } from '#web/modules/activations/history/history-tree.tsx'
import { HostMenuItems } from '#web/modules/activations/history/host-actions.tsx'
import type { HostDialog } from '#web/modules/activations/history/host-dialogs.tsx'
import {
  type CurrentActivation,
  currentActivationsQuery,
  WHOLE_HISTORY,
} from '#web/modules/activations/history/host-history.api.ts'
import { HostTimeline } from '#web/modules/activations/history/host-timeline.tsx'
import { StateBadge } from '#web/modules/activations/hosts/server-bar.tsx'
import { LicenseFileCard } from '#web/modules/activations/license-files/license-file-card.tsx'
import { plansQuery } from '#web/modules/activations/plans/host-plan.api.ts'
import { HostPlans, PlanList } from '#web/modules/activations/plans/host-plans.tsx'
import { nameOf } from '#web/modules/activations/plans/plan-names.ts'
import { ProductSeatsTable } from '#web/modules/activations/seats/product-seats.tsx'
import { AskRequest } from '#web/parts/requests/ask-request.tsx'
import { WAIT_FOR_SEAT } from '#web/parts/waiting/wait-for-seat.tsx'
import { ActionButton } from '#web/ui/actions/action-button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { CsvExport } from '#web/ui/csv-export.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Menu } from '#web/ui/overlays/menu.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import { Skeleton, SkeletonLine } from '#web/ui/skeleton.tsx'
import classes from './license-server.module.css'

const NO_MEMBERS: readonly Member[] = []

/** One license server: its license file, its seats, who shares it, what happened to it, and what can be done with it. */
export function Page() {
  const { number } = useKnownCustomer()
  const { id = '' } = useParams()
  const { data: server, error, refetch } = useQuery(serverQuery(number, id))
  if (hasCode(error, 'NOT_FOUND', 'INVALID_REQUEST')) return <NoSuchServer id={id} />
  if (server) return <LicenseServer key={server.serverId} server={server} />
  if (!error) return <Loading />
  return (
    <>
      <PageHead />
      <FailureNotice failure={error} onRetry={refetch} />
    </>
  )
}

function LicenseServer({ server }: { server: KnownServer }) {
  const { number, info } = useKnownCustomer()
  const { user } = useSignedIn()
  const [dialog, setDialog] = useState<HostDialog>()
  const { serverId, deletedAt } = server
  const files = useQuery(licenseFilesQuery(number, serverId))
  const seats = useQuery(currentActivationsQuery(number, serverId, info.today))
  const members = useQuery(membersQuery(number, server))
  const plans = useQuery(plansQuery(number))
  const label = nameOf(server)
  useEffect(() => {
    const to = withCustomer(licenseServerPath(serverId), number)
    noteRecent(user.email, number, { label, detail: serverId, screen: 'license-servers/:id', to })
  }, [user.email, number, label, serverId])
  // Together, so that nothing is pushed down by what comes later.
  if ([files, seats, members, plans].some(({ isLoading }) => isLoading)) return <Loading title={nameOf(server)} />
  return (
    <>
      <PageHead
        title={nameOf(server)}
        context={<HostFacts server={server} />}
        actions={!deletedAt && <PageActions server={server} onDialog={setDialog} />}
      />
      {deletedAt && <Deleted at={deletedAt} />}
      <HostPlans host={server} />
      <div className={classes.page}>
        <div className={classes.cards}>
          {files.error ? (
            <FailureNotice failure={files.error} onRetry={files.refetch} />
          ) : (
            <LicenseFileCard
              server={server}
              file={files.data?.[0]}
              members={members.data ?? NO_MEMBERS}
              onDialog={setDialog}
            />
          )}
          <div className={classes.pair}>
            <Card title="Customers" isLine>
              {members.error ? (
                <FailureNotice failure={members.error} onRetry={members.refetch} />
              ) : (
                <Customers serverId={serverId} members={members.data ?? NO_MEMBERS} />
              )}
            </Card>
            <Card title="Plans" isLine>
              <PlanList host={server} />
            </Card>
          </div>
          {seats.error ? (
            <FailureNotice failure={seats.error} onRetry={seats.refetch} />
          ) : (
            <Seats server={server} rows={seats.data ?? []} />
          )}
          <Card title="History">
            <div className={`${history.tree} ${classes.tree}`}>
              <HistoryTree customerNumber={number} host={server} filter={WHOLE_HISTORY} />
            </div>
          </Card>
        </div>
        <Paper p="1rem">
          <HostTimeline customerNumber={number} host={server} />
        </Paper>
      </div>
      <Suspense>{dialog && <HostDialogs dialog={dialog} onClose={() => setDialog(undefined)} />}</Suspense>
    </>
  )
}

function Loading({ title }: { title?: string }) {
  return (
    <>
      <PageHead title={title} context={<SkeletonLine />} />
      <Skeleton />
    </>
  )
}

type CardProps = {
  title: string
  /** Soft, beside the title. */
  count?: string
  /** Title and content stand beside each other. */
  isLine?: boolean
  actions?: ReactNode
  children: ReactNode
}

function Card({ title, count, isLine, actions, children }: CardProps) {
  return (
    <Paper component="section" p="1rem" aria-label={title} data-line={isLine}>
      <Group justify="space-between" gap="0.5rem 1rem" mb={isLine ? undefined : '0.75rem'}>
        <Group gap="0.75rem">
          <Title order={2}>{title}</Title>
          {count && <Text c="dimmed">{count}</Text>}
        </Group>
        {actions}
      </Group>
      {children}
    </Paper>
  )
}

function HostFacts({ server }: { server: KnownServer }) {
  return (
    <span className={classes.facts}>
      <span className={activations.hostId}>
        {hostIdLabel(server).replaceAll(',', ', ')}
        <CopyButton value={server.serverId} what="host ID" />
      </span>
      {server.deletedAt === null && <StateBadge host={{ ...server, isOutOfDate: false }} />}
      <span>Port {server.portNumber}</span>
      {server.isBorrowable && <span>Borrowable</span>}
    </span>
  )
}

type ActionsProps = { server: KnownServer; onDialog(dialog: HostDialog): void }

function PageActions({ server, onDialog }: ActionsProps) {
  const reason = useCan('activations.write') ? undefined : NOT_ENOUGH_PERMISSIONS
  return (
    <>
      <Button
        component={PortalLink}
        to={`/license-use?${new URLSearchParams({ server: server.serverId })}`}
        variant="default"
        leftSection={<IconChartHistogram size={16} aria-hidden />}
      >
        License use
      </Button>
      <Button
        component={PortalLink}
        to={optionsFilesPath(server.serverId)}
        variant="default"
        leftSection={<IconListCheck size={16} aria-hidden />}
      >
        Options files
      </Button>
      <ActionButton
        action={WAIT_FOR_SEAT}
        thing={{ server: { serverId: server.serverId, name: nameOf(server) } }}
        variant="default"
        hasIcon
      />
      {canDeleteHost(server) && (
        <ReasonTooltip reason={reason}>
          <Button
            variant="default"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => onDialog({ kind: 'delete', host: server })}
          >
            Delete
          </Button>
        </ReasonTooltip>
      )}
      {server.state === 'Active' && (
        <>
          <Menu
            position="bottom-end"
            button={
              <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
                More actions
              </Button>
            }
          >
            <HostMenuItems host={server} onDialog={onDialog} />
          </Menu>
          <ReasonTooltip reason={reason}>
            <Button
              variant="default"
              leftSection={<IconServerBolt size={16} aria-hidden />}
              aria-label={HOST_ACTIONS.rehost.button}
              title={HOST_ACTIONS.rehost.button}
              onClick={() => onDialog({ kind: 'rehost', host: server })}
            >
              Rehost
            </Button>
          </ReasonTooltip>
        </>
      )}
      <AskRequest kind="seats" server={{ serverId: server.serverId, name: nameOf(server) }} />
      <ReasonTooltip reason={reason}>
        <Button
          component={PortalLink}
          to={`/activations?${new URLSearchParams({ id: server.serverId })}`}
          // Only one button of the page is filled.
          variant={server.isOutOfDate ? 'default' : 'filled'}
          leftSection={<IconPlus size={16} aria-hidden />}
        >
          Activate products
        </Button>
      </ReasonTooltip>
    </>
  )
}

function Seats({ server, rows }: { server: KnownServer; rows: readonly CurrentActivation[] }) {
  const { number } = useKnownCustomer()
  const seats = rows.reduce((sum, { count }) => sum + count, 0)
  return (
    <Card
      title="Seats"
      {...(rows.length > 0 && {
        count: `${countOf(seats, 'seat')} of ${countOf(new Set(rows.map((row) => row.ansysproduct)).size, 'product')}`,
      })}
      actions={
        <CsvExport
          fetchCsv={async () => activatedProductsCsv(rows)}
          fileName={`Seats_${number}_${hostParts(server.serverId).join('-')}.csv`}
          total={rows.length}
        />
      }
    >
      {rows.length === 0 ? (
        <Text c="dimmed">No products are activated on this license server.</Text>
      ) : (
        <ProductSeatsTable rows={rows} />
      )}
    </Card>
  )
}

function Customers({ serverId, members }: { serverId: string; members: readonly Member[] }) {
  const { number, name } = useKnownCustomer()
  if (members.length === 0) return <Text c="dimmed">Only {name} uses this license server.</Text>
  return (
    <ul className={classes.members}>
      {members.map(({ customerNumber, customerName, isManaged, isApproved }) => (
        <li key={customerNumber}>
          {customerName === null || customerNumber === number ? (
            (customerName ?? customerNumber)
          ) : (
            <Anchor component={Link} to={withCustomer(licenseServerPath(serverId), customerNumber)}>
              {customerName}
            </Anchor>
          )}
          <span className={classes.note}>
            {[
              customerName !== null && customerNumber,
              !isManaged && 'You do not manage this customer.',
              isApproved === false && 'Export compliance does not approve.',
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Deleted({ at }: { at: string }) {
  return (
    <Paper mb="1rem">
      <SignalStrip signal="orange" role="status">
        This license server was deleted on {timeText(at)}. Its history and its license files are kept. To use it again,
        add a server with the same host ID on{' '}
        <Anchor component={PortalLink} to="/activations" inherit>
          Activate Entitlements
        </Anchor>
        .
      </SignalStrip>
    </Paper>
  )
}

/** The id is wrong, or another account's: which of the two, nobody is told. */
function NoSuchServer({ id }: { id: string }) {
  return (
    <>
      <PageHead />
      <Paper>
        <EmptyState
          icon={IconServerOff}
          title="This account has no such license server"
          actions={
            <Button variant="default" component={PortalLink} to="/activations-history">
              Show all license servers
            </Button>
          }
        >
          No license server of this account has the host ID {id}. It may belong to another account.
        </EmptyState>
      </Paper>
    </>
  )
}
