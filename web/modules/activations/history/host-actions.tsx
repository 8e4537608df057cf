import { ActionIcon } from '@mantine/core'
import { IconChartHistogram, IconDots, IconDownload } from '@tabler/icons-react'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { failureText } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { saveFile } from '#web/lib/save-file.ts'
import { HOST_ACTIONS } from '#web/modules/activations/activations.actions.tsx'
import type { HostActionName, HostDialog } from '#web/modules/activations/history/host-dialogs.tsx'
import { fetchLastFile, type TableState } from '#web/modules/activations/history/host-history.api.ts'
import { nameOf } from '#web/modules/activations/plans/plan-names.ts'
import { LazyMenu } from '#web/table/lazy-menu.tsx'
import { MenuAction, RowAction } from '#web/ui/actions/row-action.tsx'
import { Menu } from '#web/ui/overlays/menu.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { Tooltip } from '#web/ui/tooltip.tsx'
import classes from './history.module.css'

type MenuProps = { host: HostIdentity; onDialog(dialog: HostDialog): void }
type Props = MenuProps & { state: TableState }
type ActionProps = MenuProps & { kind: HostActionName }

const DOWNLOAD = 'Download the license file'

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
  if (state === 'Inactive') return <RowHostAction kind="delete" {...props} />
  return (
    <span className={classes.actions}>
      <Tooltip label={DOWNLOAD}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${DOWNLOAD}: ${nameOf(host)}`}
          onClick={() => void download()}
        >
          <IconDownload size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <RowHostAction kind="rehost" {...props} />
      <LazyMenu
        label={`More actions: ${nameOf(host)}`}
        icon={<IconDots size={16} aria-hidden />}
        className={classes.more}
      >
        {() => (
          <>
            <MenuHostAction kind="view" {...props} />
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
      <MenuHostAction kind="renew" {...props} />
      <MenuHostAction kind="deactivate" {...props} />
      <MenuHostAction kind="force return" {...props} />
    </>
  )
}

const MenuHostAction = ({ kind, host, onDialog }: ActionProps) => (
  <MenuAction action={HOST_ACTIONS[kind]} thing={host} onRun={() => onDialog({ kind, host })} />
)

const RowHostAction = ({ kind, host, onDialog }: ActionProps) => (
  <RowAction action={HOST_ACTIONS[kind]} thing={host} name={nameOf(host)} onRun={() => onDialog({ kind, host })} />
)
