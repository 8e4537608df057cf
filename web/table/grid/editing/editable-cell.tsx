import { type KeyboardEvent, useRef, useState } from 'react'
import { type CellEditor, entryError } from '#web/table/columns/cell-editor.ts'
import classes from '#web/table/grid/grid.module.css'

type Props<Row> = { editor: CellEditor<Row>; label: string; row: Row }

/** A field for a whole number. What was entered goes to the page on Enter or when the field is left. */
export function EditableCell<Row>({ editor, label, row }: Props<Row>) {
  const [draft, setDraft] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const isEnding = useRef(false)
  const value = editor.value(row)
  const entered = draft ?? value
  const error = entryError(editor, row, entered)
  const commit = () => {
    if (entered !== value) editor.onCommit(row, entered)
    setDraft(undefined)
  }
  const end = () => {
    // The field is left now, but not to commit what is in it.
    isEnding.current = true
    field.current?.closest<HTMLElement>('[data-cell]')?.focus()
    isEnding.current = false
    setDraft(undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    if (event.key === 'Enter') commit()
    end()
  }
  return (
    <span className={classes.editable} data-error={error ? true : undefined}>
      <input
        ref={field}
        className={classes.editor}
        inputMode="numeric"
        data-editing
        // Escape ends the entry, not the dialog around it.
        data-mantine-stop-propagation
        data-tip={error}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        aria-description={error}
        value={entered}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={() => !isEnding.current && draft !== undefined && commit()}
        onKeyDown={onKeyDown}
      />
      {error && <span className={classes.editorError}>{error}</span>}
    </span>
  )
}
