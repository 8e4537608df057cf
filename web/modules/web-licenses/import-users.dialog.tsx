import { Button, FileButton, Group, Modal, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import type { SavedUserLine } from '#contract/web-licenses/web-users.ts'
import type { Fields } from '#domain/filter/fields.ts'
import { readUserFile, USER_FILE_EXAMPLE, type UserLine } from '#domain/web-licenses/user-file.ts'
import { SaveButton } from '#web/form/save-button.tsx'
import { useSave } from '#web/form/use-save.ts'
import { failureText, unsavedText } from '#web/lib/api-failure.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText, sizeText } from '#web/lib/format.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { sendUsers, useReload } from '#web/modules/web-licenses/web-licenses.api.ts'
import type { Column } from '#web/table/columns/column.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { rowsSource } from '#web/table/list/use-loaded-list.ts'
import { useTable } from '#web/table/use-table.ts'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

const MAX_FILE = 1024 * 1024

/** A line of the file and what becomes of it. */
type ImportRow = UserLine & { readonly result: string; readonly isRefused: boolean }
type Import = { fileName: string; rows: readonly ImportRow[]; users: readonly UserLine[]; isDone: boolean }

/** Reads users from a CSV file, shows what will happen to each, and reports what did. */
export function ImportUsersDialog({ onClose }: { onClose(): void }) {
  const { number } = useKnownCustomer()
  const reload = useReload(number)
  const [problem, setProblem] = useState<string>()
  const [isReading, setIsReading] = useState(false)
  const [chosen, setChosen] = useState<Import>()
  const resetFile = useRef<() => void>(null)
  const send = async (users: readonly UserLine[], dryRun: boolean, key: string) =>
    sendUsers({ customerNumber: number, dryRun, users: users.map(toSent) }, key)

  const read = async (file: File | null) => {
    resetFile.current?.()
    if (!file) return
    setProblem(undefined)
    setChosen(undefined)
    if (file.size > MAX_FILE)
      return setProblem(`${file.name} has ${sizeText(file.size)}. Import ${sizeText(MAX_FILE)} at most at a time.`)
    setIsReading(true)
    try {
      const found = readUserFile(await file.text())
      if ('problem' in found) return setProblem(found.problem)
      const lines = await send(found.users, true, crypto.getRandomValues(new Uint32Array(4)).join('-'))
      setChosen({ fileName: file.name, users: found.users, rows: toRows(found.users, lines, false), isDone: false })
    } catch (error) {
      setProblem(failureText(error))
    } finally {
      setIsReading(false)
    }
  }
  const { save, isSaving, error } = useSave({
    send: (users: readonly UserLine[], key) => send(users, false, key),
    success: 'The users have been imported.',
    notDone: 'Nothing was imported.',
    async onSaved(lines, users) {
      setChosen((now) => now && { ...now, rows: toRows(users, lines, true), isDone: true })
      await reload()
    },
    onFailed: () => true,
  })
  const accepted = chosen?.rows.filter(({ isRefused }) => !isRefused).length ?? 0
  const refused = (chosen?.rows.length ?? 0) - accepted
  return (
    <Modal opened onClose={onClose} title="Import users" size={900} closeOnClickOutside={false}>
      <Text size="sm" mb="sm">
        A CSV file with the columns email, name and groups. Separate several groups of a user with a vertical bar. Users
        who are there already keep what they have and join the groups of the file.
      </Text>
      <Group gap="xs" mb="sm">
        <FileButton onChange={read} resetRef={resetFile} accept=".csv,text/csv,text/plain">
          {(props) => (
            <Button {...props} variant="default" loading={isReading} leftSection={<IconUpload size={16} aria-hidden />}>
              Choose file
            </Button>
          )}
        </FileButton>
        <Button
          variant="subtle"
          onClick={() => saveFile(new Blob([USER_FILE_EXAMPLE], { type: 'text/csv' }), 'users-example.csv')}
        >
          Download example
        </Button>
      </Group>
      {problem && (
        <SignalStrip signal="red" role="alert">
          {problem} Nothing was imported.
        </SignalStrip>
      )}
      {error && (
        <SignalStrip signal="red" role="alert">
          {unsavedText(error, 'Nothing was imported.')}
        </SignalStrip>
      )}
      {chosen && (
        <>
          <SignalStrip signal={refused > 0 ? 'orange' : chosen.isDone ? 'green' : 'blue'} role="status">
            {chosen.fileName}: {summaryOf(accepted, refused, chosen.isDone)}
          </SignalStrip>
          <ImportTable rows={chosen.rows} isDone={chosen.isDone} />
        </>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          {chosen?.isDone ? 'Close' : 'Cancel'}
        </Button>
        {!chosen?.isDone && (
          <SaveButton isSaving={isSaving} disabled={accepted === 0} onClick={() => chosen && save(chosen.users)}>
            {accepted > 0 ? `Import ${countText(accepted)} ${accepted === 1 ? 'user' : 'users'}` : 'Import users'}
          </SaveButton>
        )}
      </Group>
    </Modal>
  )
}

function summaryOf(accepted: number, refused: number, isDone: boolean): string {
  const lines = (count: number) => `${countText(count)} ${count === 1 ? 'line' : 'lines'}`
  const done = isDone ? `${lines(accepted)} imported` : `${lines(accepted)} can be imported`
  if (refused === 0) return `${done}.`
  return isDone ? `${done}, ${lines(refused)} refused.` : `${done}, ${lines(refused)} will be refused.`
}

const toSent = ({ email, name, groups }: UserLine) => ({ email, name, groups: [...groups] })

function toRows(users: readonly UserLine[], lines: readonly SavedUserLine[], isDone: boolean): ImportRow[] {
  return users.map((user, at) => {
    const line = lines[at]
    const isRefused = line?.status !== 'SUCCESS'
    return { ...user, isRefused, result: isRefused ? (line?.err ?? 'Refused') : resultText(line, isDone) }
  })
}

/** What happens to the user, or what did. */
function resultText({ change, joins }: SavedUserLine, isDone: boolean): string {
  if (change === 'none') return 'No change'
  const joined = joins.length > 0 ? ` ${isDone ? 'Joined' : 'Joins'} ${joins.join(', ')}.` : ''
  if (change === 'add') return `${isDone ? 'Added' : 'Will be added'}.${joined}`
  return `${isDone ? 'Updated' : 'Will be updated'}.${joined}`
}

const FIELDS = {
  line: { type: 'number' },
  email: { type: 'text' },
  name: { type: 'text' },
  result: { type: 'text' },
} as const satisfies Fields
const COLUMNS: readonly Column<ImportRow>[] = [
  { id: 'line', header: 'Line', width: 70, kind: 'number', phone: 'second line', text: (row) => countText(row.line) },
  { id: 'email', header: 'User', width: 230, phone: 'first line', text: (row) => row.email },
  { id: 'name', header: 'Name', width: 160, text: (row) => row.name },
  {
    id: 'result',
    header: 'Result',
    width: 280,
    flexible: { min: 200, max: 600 },
    phone: 'second line',
    text: (row) => row.result,
  },
]
const PAGE_SIZES = [10, 25, 50, 100] as const

function ImportTable({ rows, isDone }: { rows: readonly ImportRow[]; isDone: boolean }) {
  const source = useMemo(() => rowsSource(['import-users', isDone, rows.length], FIELDS, rows), [rows, isDone])
  const table = useTable({ columns: COLUMNS, rowKey: lineKey, source, pageSizes: PAGE_SIZES })
  return (
    <DataTable
      table={table}
      isPlain
      label={isDone ? 'Import report' : 'Import preview'}
      what="lines"
      noRows="The file has no users."
      rowState={(row) => (row.isRefused ? 'removed' : undefined)}
    />
  )
}

const lineKey = (row: ImportRow) => String(row.line)
