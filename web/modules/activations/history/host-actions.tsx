import { ActionIcon, Menu } from '@mantine/core'
import { IconChartHistogram, IconDots, IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { failureText } from '#web/lib/api/api-failure.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { saveFile } from '#web/lib/save-file.ts'
import { HOST_ACTIONS } from '#web/modules/activations/activations.actions.tsx'
import type { HostActionName, HostDialog } from '#web/modules/activations/history/host-dialogs.tsx'
import { fetchLastFile, type TableState } from '#web/modules/activations/history/host-history.api.ts'
import { nameOf } from '#web/modules/activations/plans/plan-names.ts'
import { LazyMenu } from '#web/table/lazy-menu.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import classes from './history.module.css'

type MenuProps = { host: HostIdentity; onDialog(dialog: HostDialog): void }
type Props = MenuProps & { state: TableState }
type ActionProps = MenuProps & { kind: HostActionName }

/** The actions of a host. Those that change it are disabled for view-only people. */
export function HostActions({ host, state, onDialog }: Props) {
  const { number } = useKnownCustomer()
  const download = async () => {
    try {
      const { text, name: fileName } = await fetchLastFile(number, host)
      saveFile(new Blob([text]), fileName)
    } catch (error) {
      showPanel('error', failureText(error))
    }
  }
  const props = { host, onDialog }
  if (state === 'Inactive') return <RowAction kind="delete" {...props} />
  return (
    <span className={classes.actions}>
      <RowButton
        text="Download the license file"
        host={host}
        icon={<IconDownload size={16} aria-hidden />}
        onClick={() => void download()}
      />
      <RowAction kind="rehost" {...props} />
      <LazyMenu
        label={`More actions: ${nameOf(host)}`}
        icon={<IconDots size={16} aria-hidden />}
        className={classes.more}
      >
        {() => (
          <>
            <MenuAction kind="view" {...props} />
            <HostMenuItems {...props} />
          </>
        )}
      </LazyMenu>
    </span>
  )
}

/** What else can be done with a host that holds seats; Rehost has a button of its own. */
export function HostMenuItems(props: MenuProps) {
  return (
    <>
      <Menu.Item
        component={PortalLink}
        to={`/license-use?${new URLSearchParams({ server: props.host.serverId })}`}
        leftSection={<IconChartHistogram size={15} aria-hidden />}
      >
        License use
      </Menu.Item>
      <MenuAction kind="renew" {...props} />
      <MenuAction kind="deactivate" {...props} />
      {useCan(HOST_ACTIONS['force return'].right) && <MenuAction kind="force return" {...props} />}
    </>
  )
}

const useReason = (kind: HostActionName) => (useCan(HOST_ACTIONS[kind].right) ? undefined : NOT_ENOUGH_PERMISSIONS)

function MenuAction({ kind, host, onDialog }: ActionProps) {
  const { button, icon: Icon } = HOST_ACTIONS[kind]
  const reason = useReason(kind)
  return (
    <ReasonTooltip reason={reason}>
      <Menu.Item
        leftSection={<Icon size={15} aria-hidden />}
        closeMenuOnClick={reason === undefined}
        onClick={() => onDialog({ kind, host })}
      >
        {button}
      </Menu.Item>
    </ReasonTooltip>
  )
}

function RowAction({ kind, host, onDialog }: ActionProps) {
  const { button, icon: Icon } = HOST_ACTIONS[kind]
  return (
    <RowButton
      text={button}
      host={host}
      icon={<Icon size={16} aria-hidden />}
      reason={useReason(kind)}
      onClick={() => onDialog({ kind, host })}
    />
  )
}

type ButtonProps = {
  text: string
  host: HostIdentity
  icon: ReactNode
  reason?: string | undefined
  onClick(): void
}

function RowButton({ text, host, icon, reason, onClick }: ButtonProps) {
  const button = (
    <ActionIcon variant="subtle" color="gray" aria-label={`${text}: ${nameOf(host)}`} onClick={onClick}>
      {icon}
    </ActionIcon>
  )
  return reason === undefined ? (
    <Tooltip label={text}>{button}</Tooltip>
  ) : (
    <ReasonTooltip reason={reason}>{button}</ReasonTooltip>
  )
}
