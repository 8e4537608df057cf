import { Button, Group, Tabs, Text } from '@mantine/core'
import { useState } from 'react'
import { hostIdLabel } from '#domain/activations/hosts/host.ts'
import { maintenanceObstacles } from '#domain/activations/seats/expired-maintenance.ts'
import { type SeatChange, toggleTick } from '#domain/activations/seats/seat-changes.ts'
import { LicensePreview } from '#web/modules/activations/license-files/license-preview.tsx'
import type { SaveJob } from '#web/modules/activations/plans/save-job.ts'
import { saveText } from '#web/modules/activations/plans/save-text.ts'
import { CustomerTab } from '#web/modules/activations/seats/customer-tab.tsx'
import {
  MaintenanceObstacles,
  TICK_ONE,
  UNTICK_EXPIRED,
} from '#web/modules/activations/seats/maintenance-obstacles.tsx'
import { SeatChangeTable } from '#web/modules/activations/seats/seat-change-table.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './confirm-changes.module.css'

type Props = {
  /** What was removed and added, before any tick is taken away here. */
  changes: readonly SeatChange[]
  /** The text of a warning banner on the page, which is repeated here. */
  warning: string | undefined
  /** What another screen has sent here, and why on this license server. */
  added: string | undefined
  mayOverrideMaintenance: boolean
  jobOf(changes: readonly SeatChange[]): SaveJob
  onConfirm(job: SaveJob): void
  onClose(): void
}

/** Shows what a save will do, customer by customer, and the resulting license file. */
export function ConfirmChangesDialog(props: Props) {
  const { warning, added, mayOverrideMaintenance, jobOf, onConfirm, onClose } = props
  const [changes, setChanges] = useState(props.changes)
  const [job, setJob] = useState(() => jobOf(props.changes))
  const { host } = job.request
  const customers = new Map(changes.map(({ customerNumber, customerName }) => [customerNumber, customerName]))
  const [shown, setShown] = useState([...customers.keys()][0])
  const obstacles = maintenanceObstacles(changes, mayOverrideMaintenance)
  const toggle = (change: SeatChange) => {
    const next = toggleTick(changes, change, 'Default')
    setChanges(next)
    setJob(jobOf(next))
  }
  const isNothing = changes.every(({ isTicked }) => !isTicked)
  const own = changes.filter(({ customerNumber }) => customerNumber === shown)
  const tables = (
    <div className={classes.tables}>
      <SeatChangeTable
        title="Products to deactivate"
        rows={own.filter(({ kind }) => kind === 'deactivate')}
        onToggle={toggle}
      />
      <SeatChangeTable
        title="Products to activate"
        rows={own.filter(({ kind }) => kind === 'activate')}
        onToggle={toggle}
      />
    </div>
  )
  return (
    <Dialog onClose={onClose} size={1200} title={`Confirm changes on ${host.serverName.replaceAll(',', ', ')}`}>
      <Text c="dimmed" className="id" mb="0.75rem">
        {hostIdLabel(host)}
      </Text>
      {added && (
        <SignalStrip signal="blue" role="status">
          {added}
        </SignalStrip>
      )}
      {warning && (
        <SignalStrip signal="orange" role="status">
          {warning}
        </SignalStrip>
      )}
      <MaintenanceObstacles obstacles={obstacles} />
      <Tabs value={shown ?? null} onChange={(number) => number && setShown(number)} keepMounted={false} mt="sm">
        <Tabs.List aria-label="Customers">
          {[...customers].map(([number, name]) => (
            <CustomerTab key={number} number={number} name={name} />
          ))}
        </Tabs.List>
        {shown && <Tabs.Panel value={shown}>{tables}</Tabs.Panel>}
      </Tabs>
      <LicensePreview job={job} />
      <Group justify="flex-end" mt="lg" gap="xs" className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <ReasonTooltip reason={obstacles.length > 0 ? UNTICK_EXPIRED : isNothing ? TICK_ONE : undefined}>
          <Button data-autofocus onClick={() => onConfirm(job)}>
            {saveText(changes)}
          </Button>
        </ReasonTooltip>
      </Group>
    </Dialog>
  )
}
