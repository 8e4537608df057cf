import { Button, FileButton, Group, NativeSelect, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type ClipboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { DEFAULT_PORT, type HostIdentity, hostIdLabel, hostParts } from '#domain/activations/hosts/host.ts'
import { chooseAddedHost, chooseRehostTarget, type HostChoice } from '#domain/activations/hosts/host-duplicates.ts'
import { hostOfRows, recognizedType, uploadedRows } from '#domain/activations/hosts/host-form.ts'
import { readPastedHosts } from '#domain/activations/hosts/pasted-hosts.ts'
import { MAX_LICENSE_FILE } from '#domain/activations/license-files/license-limits.ts'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { sizeText } from '#web/lib/format.ts'
import { readUploadedServer, type ServerHost } from '#web/modules/activations/activations.api.ts'
import {
  HOST_FIELDS,
  HOST_ROWS,
  HOST_TYPE_OPTIONS,
  type HostRow,
  type HostValues,
  hostFormErrors,
  NEW_HOST,
  rowsOfValues,
  valuesForRehost,
  valuesOfHost,
  valuesOfRows,
  valuesWithPasted,
} from '#web/modules/activations/hosts/host.form.ts'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './add-host.module.css'

type Props = {
  customerNumber: string
  known: readonly ServerHost[]
  /** The source host, from which everything moves to the added host or to a known one without seats. */
  rehosted?: HostIdentity
  /** What the form begins with, entered before and not yet used. */
  entered?: ServerHost | undefined
  onAdd(host: ServerHost): void
  onClose(): void
}

/** Adds a license server: typed in, or read from its existing license file. */
export function AddHostDialog({ customerNumber, known, rehosted, entered, onAdd, onClose }: Props) {
  const choose = rehosted ? chooseRehostTarget : chooseAddedHost
  const [loaded] = useState(() => (rehosted ? valuesForRehost(rehosted) : NEW_HOST))
  const [port, setPort] = useState(entered?.portNumber ?? DEFAULT_PORT)
  const form = useForm<HostValues, HostValues>({
    loaded,
    valuesOf: (values) => values,
    fields: HOST_FIELDS,
    validate: (values) => hostFormErrors(values, known, choose),
    save: async (values) => values,
    success: rehosted
      ? 'The new license server is selected.'
      : 'New server added. Activate at least one product to save it.',
    onSaved: (values) => {
      onAdd(addedHost(choose(hostOfRows(rowsOfValues(values)), known), port, known))
      onClose()
    },
    unchanged: 'Enter the host name and host ID of the license server.',
    isInDialog: true,
  })
  const { isTriad } = form.values
  const fill = (values: HostValues) => {
    for (const name of Object.keys(values) as (keyof HostValues)[]) form.change(name, values[name])
  }
  useEffect(() => {
    if (entered) fill(valuesOfHost(entered))
  }, [])
  const upload = useUpload(customerNumber, (values, portOfFile) => {
    setPort(portOfFile)
    fill(values)
  })
  const [pasteNote, setPasteNote] = useState<string>()
  const paste = (row: HostRow) => (event: ClipboardEvent) => {
    const read = readPastedHosts(event.clipboardData.getData('text'))
    if (!read) return
    event.preventDefault()
    fill(valuesWithPasted(form.values, read.rows, row))
    setPasteNote(read.hasOtherIds ? OTHER_IDS : undefined)
  }
  return (
    <FormDialog
      form={form}
      title={
        rehosted ? `Rehost ${rehosted.serverName.replaceAll(',', ', ')} on a different license server` : 'Add New Host'
      }
      size={1200}
      onClose={onClose}
    >
      {rehosted && <KnownHosts hosts={known} onChoose={(host) => fill(valuesOfHost(host))} />}
      <div className={classes.drop} data-over={upload.isOver || undefined}>
        <Group gap="0.75rem" justify="space-between">
          <Switch {...form.field('isTriad')} label="Triad (three hosts)" />
          <Group gap="0.75rem">
            <Text span size="sm" c="dimmed">
              Drop a license file here, or
            </Text>
            <FileButton onChange={upload.choose} resetRef={upload.resetRef} accept=".lic,.txt,.dat,text/plain">
              {(props) => (
                <Button
                  {...props}
                  variant="default"
                  loading={upload.isReading}
                  leftSection={<IconUpload size={16} aria-hidden />}
                >
                  Upload from license
                </Button>
              )}
            </FileButton>
          </Group>
        </Group>
        {upload.failure && (
          <SignalStrip signal="red" role="alert" onClose={upload.clear}>
            {upload.failure}
          </SignalStrip>
        )}
        {upload.fileName && (
          <SignalStrip signal="green" role="status" onClose={upload.clear}>
            Read from {upload.fileName}. Check the fields before you save.
          </SignalStrip>
        )}
        {pasteNote && (
          <SignalStrip signal="blue" role="status" onClose={() => setPasteNote(undefined)}>
            {pasteNote}
          </SignalStrip>
        )}
        <Text size="sm" c="dimmed">
          {PASTE_HINT}
        </Text>
        <Stack gap="0.75rem">
          {HOST_ROWS.slice(0, isTriad ? 3 : 1).map((row) => {
            const id = form.field(`id${row}`)
            const type = form.field(`type${row}`)
            return (
              <div key={row} className={classes.row}>
                <TextInput
                  {...form.field(`name${row}`)}
                  label={labelOf('Host Name', row, isTriad)}
                  placeholder="lic-server-01"
                  maxLength={253}
                  spellCheck={false}
                  data-autofocus={row === 0 || undefined}
                  onPaste={paste(row)}
                />
                <TextInput
                  {...id}
                  label={labelOf('Host ID', row, isTriad)}
                  placeholder={PLACEHOLDERS[type.value]}
                  maxLength={60}
                  spellCheck={false}
                  onPaste={paste(row)}
                  onBlur={(event) => {
                    id.onBlur(event)
                    form.change(`type${row}`, recognizedType(id.value, type.value))
                  }}
                />
                <NativeSelect {...type} label={labelOf('Host ID Type', row, isTriad)} data={HOST_TYPE_OPTIONS} />
              </div>
            )
          })}
        </Stack>
      </div>
      <FormFooter onClose={onClose} {...(rehosted && { save: 'Continue' })} />
    </FormDialog>
  )
}

const PASTE_HINT =
  'You can paste host names and host IDs together: one line per computer, or what lmhostid prints. Three lines fill in a triad.'
const OTHER_IDS =
  'This computer has several host IDs. The first one is filled in. Check that it belongs to a network card that stays.'

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  ETHERNET: '3c:ec:ef:4b:7d:10',
  DISK_SERIAL_NUM: '5e0c71aa',
  FLEXID: '9-1f04b7c2',
}

const labelOf = (what: string, row: number, isTriad: boolean) => (isTriad ? `${what} ${row + 1}` : what)

/** Hosts of the account that hold no seats. */
function KnownHosts({ hosts, onChoose }: { hosts: readonly ServerHost[]; onChoose(host: ServerHost): void }) {
  const free = hosts.filter(({ state }) => state !== 'Active')
  if (free.length === 0) return null
  return (
    <Select
      label="Known license servers"
      placeholder="Choose a license server of this account, or fill in a new one below"
      searchable
      data={free.map((host) => ({
        value: host.serverId,
        label: `${host.serverName.replaceAll(',', ', ')} (${hostIdLabel(host)})`,
      }))}
      onChange={(id) => {
        const host = free.find(({ serverId }) => serverId === id)
        if (host) onChoose(host)
      }}
    />
  )
}

/** A host that was there before is reused with its old record. */
function addedHost(choice: HostChoice, portNumber: number, known: readonly ServerHost[]): ServerHost {
  if (choice.kind === 'refused') throw new Error(choice.message)
  const old = choice.kind === 'known' ? known.find((one) => one === choice.host) : undefined
  if (old) return old
  const file = { isOutOfDate: false, generatedAt: null, generatedBy: null }
  return { ...choice.host, state: 'Unknown', portNumber, isBorrowable: false, isShared: false, ...file, isNew: true }
}

/** Reads the server from a file that was chosen or dropped. */
function useUpload(customerNumber: string, onRead: (values: HostValues, port: number) => void) {
  const [isReading, setIsReading] = useState(false)
  const [isOver, setIsOver] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [fileName, setFileName] = useState<string>()
  const resetRef = useRef<() => void>(null)

  const clear = () => {
    setFailure(undefined)
    setFileName(undefined)
  }
  const read = async (file: File | null) => {
    if (!file) return
    clear()
    if (file.size > MAX_LICENSE_FILE) return setFailure(tooLarge(file))
    setIsReading(true)
    try {
      const server = await readUploadedServer(customerNumber, file)
      onRead(valuesOfRows(uploadedRows(server)), server.portNumber ?? DEFAULT_PORT)
      setFileName(`${file.name} (${hostParts(server.serverName).join(', ')})`)
    } catch (error) {
      setFailure(failureText(error))
    } finally {
      setIsReading(false)
    }
  }
  const onDrop = useEffectEvent((files: readonly File[]) => {
    if (files.length <= 1) return void read(files[0] ?? null)
    clear()
    setFailure('Drop one license file at a time. Nothing was read.')
  })
  useFileDrop(setIsOver, onDrop)
  return {
    isReading,
    isOver,
    failure,
    fileName,
    clear,
    resetRef,
    choose(file: File | null) {
      // A file can be chosen again after it was corrected.
      resetRef.current?.()
      void read(file)
    },
  }
}

/**
 * Accepts files dropped anywhere on the page: outside of the dialog, the browser would leave the portal and open the
 * file.
 */
function useFileDrop(onOver: (isOver: boolean) => void, onDrop: (files: readonly File[]) => void): void {
  const handle = useEffectEvent((event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    onOver(event.type === 'dragover')
    if (event.type === 'drop') onDrop([...event.dataTransfer.files])
  })
  useEffect(() => {
    const listen = (event: DragEvent) => handle(event)
    for (const type of DRAG_EVENTS) window.addEventListener(type, listen)
    return () => {
      for (const type of DRAG_EVENTS) window.removeEventListener(type, listen)
    }
  }, [])
}

const DRAG_EVENTS = ['dragover', 'dragleave', 'drop'] as const

const tooLarge = ({ name, size }: File) =>
  `${name} has ${sizeText(size)}. License files have ${sizeText(MAX_LICENSE_FILE)} at most. Nothing was read.`
