import { Button, Popover } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useState } from 'react'
import type { ColumnsPanel } from '#web/table/frame/columns-panel.tsx'
import type { Table } from '#web/table/use-table.ts'
import classes from './frame.module.css'

/** The panel must fit into the window, because it closes when somebody scrolls. */
const MIDDLEWARES = { size: { padding: 8 } }

/** Opens the columns panel. Its code is loaded first, so that the focus can move into it. */
export function ColumnsButton({ table }: { table: Pick<Table<never>, 'columns' | 'state'> }) {
  const [isOpen, setIsOpen] = useState(false)
  const [Panel, setPanel] = useState<typeof ColumnsPanel>()
  const toggle = async () => {
    const loaded = await import('#web/table/frame/columns-panel.tsx')
    setPanel(() => loaded.ColumnsPanel)
    setIsOpen((now) => !now)
  }
  return (
    <Popover position="bottom-end" trapFocus middlewares={MIDDLEWARES} opened={isOpen} onChange={setIsOpen}>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconColumns3 size={15} aria-hidden />} onClick={toggle}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.columnsPanel}>{Panel && <Panel table={table} />}</Popover.Dropdown>
    </Popover>
  )
}
