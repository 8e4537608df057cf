import { Tooltip } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { type CellEditor, entryError } from '#web/table/columns/cell-editor.ts'
import type { Column } from '#web/table/columns/column.ts'
import classes from '#web/table/grid/grid.module.css'

type Props<Row> = { column: Column<Row>; row: Row }

/** Text that turns into a field when it is clicked, and on Enter or F2; or a field that is always there. */
export function EditableCell<Row>({ column, row }: Props<Row>) {
  const [draft, setDraft] = useState<string>()
  const container = useRef<HTMLSpanElement>(null)
  const isEnding = useRef(false)
  const editor = column.editor
  if (!editor) return column.text(row)
  const value = editor.value(row)
  const error = entryError(editor, row, draft ?? value)
  const end = () => {
    // The field is left now, but not to commit what is in it.
    isEnding.current = true
    container.current?.closest<HTMLElement>('[data-cell]')?.focus()
    isEnding.current = false
    setDraft(undefined)
  }
  const commit = (entered: string): boolean => {
    if (entryError(editor, row, entered) && !editor.commitsErrors) return false
    if (entered !== value) editor.onCommit(row, entered)
    return true
  }
  return (
    <span ref={container} className={classes.editable} data-error={error ? true : undefined}>
      {draft === undefined && !editor.isAlwaysOpen ? (
        <button
          type="button"
          className={classes.editButton}
          aria-label={`Edit ${column.header}: ${column.text(row)}`}
          aria-description={error}
          data-tip={error}
          onClick={() => setDraft(value)}
        >
          {column.cell ? column.cell(row) : column.text(row)}
        </button>
      ) : (
        <Field
          editor={editor}
          label={column.header}
          value={draft ?? value}
          error={error}
          onChange={(entered) => {
            setDraft(entered)
            // Choosing an option commits it at once.
            if (editor.kind === 'choice' && commit(entered)) end()
          }}
          onEnter={() => commit(draft ?? value) && end()}
          onEscape={end}
          onLeave={() => !isEnding.current && draft !== undefined && commit(draft) && setDraft(undefined)}
        />
      )}
      {error && editor.isAlwaysOpen && <span className={classes.editorError}>{error}</span>}
      {error && !editor.isAlwaysOpen && draft !== undefined && (
        <Tooltip opened target={container} label={error} color="red" position="bottom" />
      )}
    </span>
  )
}

type FieldProps<Row> = {
  editor: CellEditor<Row>
  label: string
  value: string
  error: string | undefined
  onChange(value: string): void
  onEnter(): void
  onEscape(): void
  onLeave(): void
}

function Field<Row>({ editor, label, value, error, onChange, onEnter, onEscape, onLeave }: FieldProps<Row>) {
  const common = {
    className: classes.editor,
    'data-editing': true,
    // Escape ends the entry, not the dialog around it.
    'data-mantine-stop-propagation': true,
    'data-always': editor.isAlwaysOpen || undefined,
    'data-tip': error,
    'aria-label': label,
    'aria-invalid': error ? true : undefined,
    'aria-description': error,
    autoFocus: !editor.isAlwaysOpen,
    value,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
    onBlur: onLeave,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') onEnter()
      if (event.key === 'Escape') onEscape()
      if (event.key === 'Enter' || event.key === 'Escape') event.preventDefault()
    },
  }
  if (editor.kind === 'choice')
    return (
      <select {...common}>
        {editor.options?.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )
  const type = editor.kind === 'date' ? 'date' : 'text'
  return <input {...common} type={type} inputMode={editor.kind === 'whole number' ? 'numeric' : undefined} />
}
