import { SegmentedControl, Switch } from '@mantine/core'
import { useState } from 'react'
import { ColumnsPanel } from '#web/table/frame/columns-panel.tsx'
import { ViewsPanel } from '#web/table/frame/views-panel.tsx'
import type { Table } from '#web/table/use-table.ts'
import { DENSITIES, type Density, useDensity } from '#web/table/view/density.ts'
import { usePinnedFilterRow } from '#web/table/view/filter-row-pin.ts'
import classes from './frame.module.css'

const PARTS = ['Columns', 'Views'] as const

/** How the table shows its rows: columns and named views, and what is the same for every table. */
export function ViewPanel({ table, onClose }: { table: Pick<Table<never>, 'columns' | 'state'>; onClose(): void }) {
  const { named } = table.state
  const [part, setPart] = useState<(typeof PARTS)[number]>(named?.shown ? 'Views' : 'Columns')
  const [density, setDensity] = useDensity()
  const [isPinned, setIsPinned] = usePinnedFilterRow()
  return (
    <>
      {named && (
        <SegmentedControl
          fullWidth
          size="xs"
          mb="xs"
          aria-label="View settings"
          data={[...PARTS]}
          value={part}
          onChange={(value) => setPart(value as typeof part)}
        />
      )}
      {named && part === 'Views' ? <ViewsPanel named={named} onClose={onClose} /> : <ColumnsPanel table={table} />}
      <div className={classes.everyTable}>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="Row height"
          data={[...DENSITIES]}
          value={density}
          onChange={(value) => setDensity(value as Density)}
        />
        <Switch
          size="xs"
          label="Filter row"
          checked={isPinned}
          onChange={(event) => setIsPinned(event.currentTarget.checked)}
        />
      </div>
    </>
  )
}
