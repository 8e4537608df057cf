import { Button, Group, Tabs } from '@mantine/core'
import { useState } from 'react'
import { maintenanceObstacles } from '#domain/activations/expired-maintenance.ts'
import { hostIdLabel } from '#domain/activations/host.ts'
import { type SeatChange, toggleTick } from '#domain/activations/seat-changes.ts'
import { LicensePreview } from '#web/modules/activations/license-preview.tsx'
import { MaintenanceObstacles } from '#web/modules/activations/maintenance-obstacles.tsx'
import type { SaveJob } from '#web/modules/activations/save-flow.ts'
import { SeatChangeTable } from '#web/modules/activations/seat-change-table.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './confirm-changes.module.css'

type Props = {
  /** What was removed and added, before any tick is taken away here. */
  changes: readonly SeatChange[]
  /** What a warning banner on the page says; it holds here as well. */
  warning: string | undefined
  mayOverrideMaintenance: boolean
  jobOf(changes: readonly SeatChange[]): SaveJob
  onConfirm(job: SaveJob): void
  onClose(): void
}

/** Shows what a save will do, customer by customer, and the resulting license file. */
export function ConfirmChangesDialog(props: Props) {
  const { warning, mayOverrideMaintenance, jobOf, onConfirm, onClose } = props
  const [changes, setChanges] = useState(props.changes)
  const [job, setJob] = useState(() => jobOf(props.changes))
  const { host } = job.request
  const numbers = [...new Set(changes.map(({ customerNumber }) => customerNumber))]
  const [shown, setShown] = useState(numbers[0])
  const obstacles = maintenanceObstacles(changes, mayOverrideMaintenance)
  const toggle = (change: SeatChange) => {
    const next = toggleTick(changes, change, 'Default')
    setChanges(next)
    setJob(jobOf(next))
  }
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
      <p className={classes.host}>{hostIdLabel(host)}</p>
      {warning && (
        <SignalStrip signal="orange" role="status">
          {warning}
        </SignalStrip>
      )}
      <MaintenanceObstacles obstacles={obstacles} />
      <Tabs value={shown ?? null} onChange={(number) => number && setShown(number)} keepMounted={false} mt="sm">
        <Tabs.List aria-label="Customers">
          {numbers.map((number) => (
            <Tabs.Tab key={number} value={number}>
              {number}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown && <Tabs.Panel value={shown}>{tables}</Tabs.Panel>}
      </Tabs>
      <LicensePreview job={job} />
      <Group justify="flex-end" mt="lg" gap="xs" className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          data-autofocus
          disabled={obstacles.length > 0 || changes.every(({ isTicked }) => !isTicked)}
          onClick={() => onConfirm(job)}
        >
          Ok
        </Button>
      </Group>
    </Dialog>
  )
}
