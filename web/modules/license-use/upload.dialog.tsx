import { Button, FileButton, Group, NativeSelect, Progress, Stack, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { HostReport } from '#contract/license-use/license-use.ts'
import { MAX_UPLOAD, type ReadReport } from '#contract/license-use/uploads.ts'
import { MAX_REPORT_DAYS } from '#contract/web-licenses/web-report.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import type { DayRange } from '#domain/calendar/day-range.ts'
import { doubtsAbout, readLogSource, serverOf } from '#domain/license-use/logs/log-source.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countOf, sizeText } from '#web/lib/format.ts'
import { LICENSE_USE_KEY, uploadLog } from '#web/modules/license-use/license-use.api.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

type Props = {
  hosts: readonly Pick<HostReport, 'serverId' | 'serverName' | 'daemons' | 'firstFileOn'>[]
  onShow(days: DayRange): void
  onClose(): void
}

const FAILED = 'This output says nothing about seats: lmstat could not reach the license server.'

/** What was read of a text that arrived. */
function readText(name: string, report: ReadReport): string {
  const { outcome, unreadLines, problems = [], firstAt, lastAt, sessions, denials } = report
  if (outcome === 'known') return `${name} was read before. It has no new lines.`
  const lines = problems.map(({ line, code }) => `line ${line} (${code.replaceAll('-', ' ')})`).join(', ')
  const unread =
    unreadLines > 0 ? `, except ${countOf(unreadLines, 'line')}${lines && `: ${lines}`}. See Reports.` : '.'
  const older = outcome === 'older' ? ' A newer output of lmstat is known, so seats in use now stay as they are.' : ''
  if (sessions === undefined || denials === undefined || !firstAt || !lastAt) return `${name} was read${unread}${older}`
  const times = `From ${firstAt.slice(0, 16)} to ${lastAt.slice(0, 16)}`
  return `${name} imported: ${countOf(sessions, 'session')}, ${countOf(denials, 'denial')}. ${times}${unread}`
}

/** The days of a debug log, the last ones of a longer one than a report can cover. */
function daysOf({ firstAt, lastAt }: ReadReport): DayRange | undefined {
  if (!firstAt || !lastAt) return undefined
  const to = lastAt.slice(0, 10)
  const [from = to] = [firstAt.slice(0, 10), addDays(to, 1 - MAX_REPORT_DAYS)].sort().reverse()
  return { from, to }
}

/** A text says at its beginning where it comes from. */
const HEAD = 256 * 1024
const headOf = (content: Blob | string) =>
  typeof content === 'string' ? content.slice(0, HEAD) : content.slice(0, HEAD).text()

/** Takes a debug log or lmstat output of a license server, as a file or pasted. */
export function UploadDialog({ hosts, onShow, onClose }: Props) {
  const { number: customerNumber } = useKnownCustomer()
  const queries = useQueryClient()
  const [serverId, setServerId] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [text, setText] = useState('')
  const [progress, setProgress] = useState<{ share: number; what: string }>()
  const [failure, setFailure] = useState<string>()
  const [imported, setImported] = useState<{ text: string; days: DayRange }>()

  const chosen = hosts.find((host) => host.serverId === serverId)
  const preselect = async (content: Blob | string) => {
    const named = serverOf(hosts, readLogSource(await headOf(content)))
    if (named) setServerId(named.serverId)
  }
  const upload = async () => {
    const doubts = chosen ? doubtsAbout(chosen, readLogSource(await headOf(file ?? text))) : []
    if (doubts.length > 0 && !(await confirm(`${doubts.join(' ')} Upload it anyway?`, 'Upload anyway'))) return
    setFailure(undefined)
    setProgress({ share: 0, what: 'Sending the file' })
    try {
      const sent = file ?? new File([text], 'Pasted text')
      const report = await uploadLog({ customerNumber, serverId }, sent, (share, what) => setProgress({ share, what }))
      const problem = report.reason ?? (report.outcome === 'failed' ? FAILED : undefined)
      if (problem) throw new Error(problem)
      await queries.invalidateQueries({ queryKey: [LICENSE_USE_KEY] })
      const days = daysOf(report)
      if (days) return setImported({ text: readText(sent.name, report), days })
      showPanel('success', readText(sent.name, report))
      onClose()
    } catch (error) {
      setFailure(failureText(error))
    } finally {
      setProgress(undefined)
    }
  }
  if (imported)
    return (
      <Dialog title="Upload log" size="lg" onClose={onClose}>
        <Stack>
          <Text role="status">{imported.text}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <Button
              data-autofocus
              onClick={() => {
                onShow(imported.days)
                onClose()
              }}
            >
              {imported.days.from === imported.days.to ? 'Show that day' : 'Show these days'}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    )
  const isTooLarge = file !== null && file.size > MAX_UPLOAD
  return (
    <Dialog title="Upload log" size="lg" onClose={onClose}>
      <Stack>
        <Text size="sm">
          A debug log of the license manager, or the output of lmstat -a. If you upload a log again, only the new lines
          are read.
        </Text>
        <NativeSelect
          label="License server"
          value={serverId}
          onChange={(event) => setServerId(event.currentTarget.value)}
          data={[
            { value: '', label: 'Choose a license server' },
            ...hosts.map((host) => ({ value: host.serverId, label: host.serverName.replaceAll(',', ', ') })),
          ]}
        />
        <Group>
          <FileButton
            onChange={(next) => {
              setFile(next)
              if (next) void preselect(next)
            }}
          >
            {(props) => (
              <Button {...props} variant="default" ml="-0.5rem">
                Choose file
              </Button>
            )}
          </FileButton>
          <Text size="sm">{file ? `${file.name} (${sizeText(file.size)})` : 'No file chosen, up to 1 GB'}</Text>
        </Group>
        <Textarea
          label="Or paste the text"
          autosize
          minRows={4}
          maxRows={10}
          value={text}
          disabled={file !== null}
          onChange={({ currentTarget: { value } }) => {
            setText(value)
            void preselect(value)
          }}
        />
        {progress && (
          <div>
            <Text size="sm">{progress.what}</Text>
            <Progress value={progress.share * 100} animated aria-label={progress.what} />
          </div>
        )}
        {isTooLarge && <SignalStrip signal="red">The file is too large. The limit is 1 GB.</SignalStrip>}
        {failure && (
          <SignalStrip signal="red" role="alert">
            {failure}
          </SignalStrip>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            onClick={upload}
            loading={progress !== undefined}
            disabled={!serverId || isTooLarge || (!file && !text.trim())}
          >
            Upload
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
