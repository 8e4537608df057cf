import { Button, FileButton, Group, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { MAX_USER_FILE, readUserFile, USER_FILE_EXAMPLE, type UserLine } from '#domain/web-licenses/user-file.ts'
import { SaveButton } from '#web/form/save-button.tsx'
import { useSave } from '#web/form/use-save.ts'
import { failureText, unsavedText } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countText, sizeText } from '#web/lib/format.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { ImportTable } from '#web/modules/web-licenses/users/import-table.tsx'
import {
  countOf,
  type ImportPhase,
  type ImportRow,
  importSummary,
  isSent,
  toImportRows,
} from '#web/modules/web-licenses/users/user-import.ts'
import { sendUsers, useReload } from '#web/modules/web-licenses/web-licenses.api.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

type Import = { fileName: string; rows: readonly ImportRow[]; users: readonly UserLine[]; phase: ImportPhase }

/** Reads users from a CSV file, shows what will happen to each, and reports what did. */
export function ImportUsersDialog({ onClose }: { onClose(): void }) {
  const { number } = useKnownCustomer()
  const reload = useReload(number)
  const [problem, setProblem] = useState<string>()
  const [isReading, setIsReading] = useState(false)
  const [chosen, setChosen] = useState<Import>()
  const resetFile = useRef<() => void>(null)
  const send = async (users: readonly UserLine[], phase: ImportPhase, key: string) => {
    const sent = users.filter(isSent).map(toSent)
    const body = { customerNumber: number, dryRun: phase === 'preview', users: sent }
    return toImportRows(users, sent.length > 0 ? await sendUsers(body, key) : [], phase)
  }

  const read = async (file: File | null) => {
    resetFile.current?.()
    if (!file) return
    setProblem(undefined)
    setChosen(undefined)
    if (file.size > MAX_USER_FILE)
      return setProblem(`${file.name} has ${sizeText(file.size)}. Import ${sizeText(MAX_USER_FILE)} at most at a time.`)
    setIsReading(true)
    try {
      const found = readUserFile(new Uint8Array(await file.arrayBuffer()))
      if ('problem' in found) return setProblem(found.problem)
      const rows = await send(found.users, 'preview', crypto.getRandomValues(new Uint32Array(4)).join('-'))
      setChosen({ fileName: file.name, users: found.users, rows, phase: 'preview' })
    } catch (error) {
      setProblem(failureText(error))
    } finally {
      setIsReading(false)
    }
  }
  const { save, isSaving, error } = useSave({
    send: (users: readonly UserLine[], key) => send(users, 'report', key),
    // The dialog shows the report.
    success: () => undefined,
    notDone: 'Nothing was imported.',
    async onSaved(rows) {
      setChosen((now) => now && { ...now, rows, phase: 'report' })
      await reload()
    },
    onFailed: () => true,
  })
  const changes = countOf(chosen?.rows ?? [], 'add', 'update')
  const isDone = chosen?.phase === 'report'
  const refused = countOf(chosen?.rows ?? [], 'refused')
  return (
    <Dialog onClose={onClose} title="Import users" size={900} closeOnClickOutside={false}>
      <Text size="sm" mb="sm">
        A CSV file with the columns email, name, groups and entitlements. Only the email is required. Separate several
        groups with a vertical bar, and several activation IDs of entitlements with a semicolon. Users who are there
        already get the name of the file, unless it is empty. They keep their groups and entitlements, and get those of
        the file as well.
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
          <SignalStrip signal={refused > 0 ? 'orange' : isDone ? 'green' : 'blue'} role="status">
            {chosen.fileName}, {importSummary(chosen.rows, chosen.phase)}
          </SignalStrip>
          <ImportTable rows={chosen.rows} phase={chosen.phase} />
        </>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          {isDone ? 'Close' : 'Cancel'}
        </Button>
        {!isDone && (
          <SaveButton
            isSaving={isSaving}
            reason={chosen ? (changes === 0 ? 'The file changes nothing.' : undefined) : 'Choose a file first.'}
            onClick={() => chosen && save(chosen.users)}
          >
            {changes > 0 ? `Import ${countText(changes)} ${changes === 1 ? 'user' : 'users'}` : 'Import users'}
          </SaveButton>
        )}
      </Group>
    </Dialog>
  )
}

const toSent = ({ email, name, groups, entitlements }: UserLine) => ({
  email,
  name,
  groups: [...groups],
  entitlements: [...entitlements],
})
