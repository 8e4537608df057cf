import { ActionIcon, Menu } from '@mantine/core'
import {
  IconChartHistogram,
  IconDots,
  IconDownload,
  IconEye,
  IconPower,
  IconRefresh,
  IconServerBolt,
  IconServerOff,
  IconTrash,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { failureText } from '#web/lib/api-failure.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { PortalLink } from '#web/lib/portal-link.tsx'
import { saveFile } from '#web/lib/save-file.ts'
import { fetchLastFile, type TableState } from '#web/modules/activations/history/host-history.api.ts'
import { RENEW } from '#web/modules/activations/plans/plan-names.ts'
import { LazyMenu } from '#web/table/lazy-menu.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import classes from './history.module.css'

export type HostDialog = {
  readonly kind: 'view' | 'files' | 'compare' | 'renew' | 'rehost' | 'deactivate' | 'force return' | 'delete'
  readonly host: HostIdentity
}

type MenuProps = { host: HostIdentity; onDialog(dialog: HostDialog): void }
type Props = MenuProps & { state: TableState }

/** The actions of a host. Those that change it are disabled for view-only people. */
export function HostActions({ host, state, onDialog }: Props) {
  const { number } = useKnownCustomer()
  const mayChange = useCan('activations.write')
  const name = host.serverName.replaceAll(',', ', ')
  const open = (kind: HostDialog['kind']) => () => onDialog({ kind, host })
  const reason = mayChange ? undefined : NOT_ENOUGH_PERMISSIONS
  const download = async () => {
    try {
      const { text, name: fileName } = await fetchLastFile(number, host)
      saveFile(new Blob([text]), fileName)
    } catch (error) {
      showPanel('error', failureText(error))
    }
  }
  if (state === 'Inactive')
    return (
      <Action
        text="Delete"
        name={name}
        icon={<IconTrash size={16} aria-hidden />}
        reason={reason}
        onClick={open('delete')}
      />
    )
  return (
    <span className={classes.actions}>
      <Action
        text="View current activations"
        name={name}
        icon={<IconEye size={16} aria-hidden />}
        onClick={open('view')}
      />
      <Action
        text="Download the license file"
        name={name}
        icon={<IconDownload size={16} aria-hidden />}
        onClick={() => void download()}
      />
      <Action
        text={REHOST}
        name={name}
        icon={<IconServerBolt size={16} aria-hidden />}
        reason={reason}
        onClick={open('rehost')}
      />
      <LazyMenu label={`More actions: ${name}`} icon={<IconDots size={16} aria-hidden />} className={classes.more}>
        {() => <HostMenuItems host={host} onDialog={onDialog} />}
      </LazyMenu>
    </span>
  )
}

export const REHOST = 'Move to another license server'

/** What else can be done with a host that holds seats; Rehost has a button of its own. */
export function HostMenuItems({ host, onDialog }: MenuProps) {
  const mayChange = useCan('activations.write')
  const mayForce = useCan('activations.force-return')
  const reason = mayChange ? undefined : NOT_ENOUGH_PERMISSIONS
  const open = (kind: HostDialog['kind']) => () => onDialog({ kind, host })
  return (
    <>
      <Menu.Item
        component={PortalLink}
        to={`/license-use?${new URLSearchParams({ server: host.serverId })}`}
        leftSection={<IconChartHistogram size={15} aria-hidden />}
      >
        License use
      </Menu.Item>
      <ReasonTooltip reason={reason}>
        <Menu.Item
          leftSection={<IconRefresh size={15} aria-hidden />}
          closeMenuOnClick={mayChange}
          onClick={open('renew')}
        >
          {RENEW}
        </Menu.Item>
      </ReasonTooltip>
      <ReasonTooltip reason={reason}>
        <Menu.Item
          leftSection={<IconPower size={15} aria-hidden />}
          closeMenuOnClick={mayChange}
          onClick={open('deactivate')}
        >
          Deactivate
        </Menu.Item>
      </ReasonTooltip>
      {mayForce && (
        <Menu.Item leftSection={<IconServerOff size={15} aria-hidden />} onClick={open('force return')}>
          Forced return from a lost license server
        </Menu.Item>
      )}
    </>
  )
}

type ActionProps = { text: string; name: string; icon: ReactNode; reason?: string | undefined; onClick(): void }

function Action({ text, name, icon, reason, onClick }: ActionProps) {
  const button = (
    <ActionIcon variant="subtle" color="gray" aria-label={`${text}: ${name}`} onClick={onClick}>
      {icon}
    </ActionIcon>
  )
  return reason === undefined ? (
    <Tooltip label={text}>{button}</Tooltip>
  ) : (
    <ReasonTooltip reason={reason}>{button}</ReasonTooltip>
  )
}
