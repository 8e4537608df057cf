import { Button, NativeSelect, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustments } from '@tabler/icons-react'
import { canFilter } from '#web/table/columns/column.ts'
import { FilterCell } from '#web/table/filters/filter-cell.tsx'
import { FilterPopovers } from '#web/table/filters/filter-popover.tsx'
import type { Table } from '#web/table/use-table.ts'
import type { ColumnSort } from '#web/table/view/table-view.ts'
import { Modal } from '#web/ui/overlays/modal.tsx'

/** On a phone, where no column has a head: the same filters below each other, and the order. */
export function PhoneFilters({ table: { columns, state } }: { table: Pick<Table<never>, 'columns' | 'state'> }) {
  const [isOpen, dialog] = useDisclosure(false)
  const { view, setView } = state
  const [sort] = view.sorting
  const filterable = columns.filter(canFilter)
  const count = filterable.filter(({ id }) => view.filters[id]).length
  const sortable = columns.filter((column) => column.isSortable !== false)
  return (
    <>
      {/* Without a word, so that it fits beside the title. */}
      <Button
        variant="default"
        size="xs"
        aria-label={count > 0 ? `Filters: ${count}` : 'Filters'}
        rightSection={count > 0 && <span aria-hidden>{count}</span>}
        onClick={dialog.open}
      >
        <IconAdjustments size={16} aria-hidden />
      </Button>
      {/* The dialog itself would close before the popover in it. */}
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        closeOnEscape={false}
        onKeyDown={({ key }) => key === 'Escape' && dialog.close()}
        title="Sort and filter"
      >
        <Stack gap="sm">
          <NativeSelect
            label="Sort by"
            data={[
              { value: '', label: 'Default order' },
              ...sortable.flatMap(({ id, header }) => [
                { value: `asc ${id}`, label: `${header}, ascending` },
                { value: `desc ${id}`, label: `${header}, descending` },
              ]),
            ]}
            value={sort ? `${sort.direction} ${sort.column}` : ''}
            onChange={({ currentTarget: { value } }) =>
              setView((now) => ({ ...now, sorting: value === '' ? [] : [sortIn(value)] }))
            }
          />
          <FilterPopovers columns={columns}>
            {filterable.map((column) => (
              <div key={column.id}>
                <Text fw={500} mb="0.25rem">
                  {column.header}
                </Text>
                <FilterCell column={column} />
              </div>
            ))}
          </FilterPopovers>
          <Button onClick={dialog.close}>Show rows</Button>
        </Stack>
      </Modal>
    </>
  )
}

function sortIn(value: string): ColumnSort {
  const [direction, column = ''] = value.split(' ')
  return { column, direction: direction === 'desc' ? 'desc' : 'asc' }
}
