import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import type { Column } from '#web/ui/grid/model/column.ts'
import { hideColumn, showColumn, type TableView } from '#web/ui/grid/model/table-view.ts'

type Props = {
  columns: readonly Column<never>[]
  view: TableView
  setView(change: (view: TableView) => TableView): void
}

/** Which columns are shown; the last one cannot be taken away. */
export function ColumnsMenu({ columns, view, setView }: Props) {
  const isShown = (id: string) => !view.hidden.includes(id)
  const isOnlyOne = columns.filter((column) => isShown(column.id)).length === 1
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconColumns3 size={15} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack
          gap="xs"
          component="fieldset"
          aria-label="Columns"
          p={0}
          m={0}
          bd={0}
          mah="60dvh"
          style={{ overflowY: 'auto' }}
        >
          {columns.map(({ id, header }) => (
            <Checkbox
              key={id}
              label={header}
              checked={isShown(id)}
              disabled={isShown(id) && isOnlyOne}
              onChange={(event) => {
                const change = event.currentTarget.checked ? showColumn : hideColumn
                setView((now) => change(now, id))
              }}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
