import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { SaveButton } from '#web/form/save-button.tsx'
import { useSave } from '#web/form/use-save.ts'
import { unsavedText } from '#web/lib/api/api-error.ts'
import { useRowSelection } from '#web/modules/web-licenses/selected-keys.ts'
import type { Column } from '#web/table/columns/column.ts'
import { DataTable } from '#web/table/data-table.tsx'
import type { ListSource } from '#web/table/list/list-source.ts'
import { useTable } from '#web/table/use-table.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

const PAGE_SIZES = [10, 25, 50, 100] as const

type Props<Row, Answer> = {
  title: string
  /** What choosing does, above the table. */
  about: ReactNode
  source: ListSource<Row>
  columns: readonly Column<Row>[]
  rowKey(row: Row): string
  rowName(row: Row): string
  canSelect?(row: Row): boolean
  /** What is chosen, in the plural. */
  what: string
  noRows: ReactNode
  /** The label of the button. */
  act: string
  send(keys: string[], idempotencyKey: string): Promise<Answer>
  success: string | ((answer: Answer) => string | undefined)
  onDone(answer: Answer): void
  onClose(): void
}

/** Rows of a table are ticked and sent. */
export function ChooseRowsDialog<Row, Answer>(props: Props<Row, Answer>) {
  const { title, about, source, columns, rowKey, rowName, canSelect, what, noRows, act, onClose } = props
  const { state, countOf, withKeys } = useRowSelection<Row>()
  const table = useTable({ columns, rowKey, source, pageSizes: PAGE_SIZES })
  const { save, isSaving, error } = useSave<string[], Answer>({
    send: props.send,
    success: props.success,
    onSaved(answer) {
      props.onDone(answer)
      onClose()
    },
    onFailed: () => true,
    notDone: 'Nothing was changed.',
  })
  return (
    <Dialog onClose={onClose} title={title} size={900}>
      <Text size="sm" mb="sm">
        {about}
      </Text>
      {error && (
        <SignalStrip signal="red" role="alert">
          {unsavedText(error, 'Nothing was changed.')}
        </SignalStrip>
      )}
      <DataTable
        table={table}
        isPlain
        label={title}
        what={what}
        rowName={rowName}
        selection={state}
        {...(canSelect ? { canSelect } : {})}
        noRows={noRows}
      />
      <Group justify="flex-end" mt="lg" gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {countOf(table)} chosen
        </Text>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SaveButton
          isSaving={isSaving}
          reason={countOf(table) === 0 ? `Choose the ${what} first.` : undefined}
          onClick={() => withKeys({ table, source, ...(canSelect ? { canSelect } : {}) }, save)}
        >
          {act}
        </SaveButton>
      </Group>
    </Dialog>
  )
}
