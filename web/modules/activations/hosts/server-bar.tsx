import {
  Badge,
  Button,
  Checkbox,
  type ComboboxItem,
  Group,
  type OptionsFilter,
  Paper,
  Select,
  Text,
} from '@mantine/core'
import { IconFileText, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { hostIdLabel } from '#domain/activations/hosts/host.ts'
import { NO_SERVER_FOUND } from '#domain/activations/seats/activation-texts.ts'
import { countText, timeText } from '#web/lib/format.ts'
import type { ServerHost } from '#web/modules/activations/activations.api.ts'
import classes from '#web/modules/activations/activations.module.css'
import { HostLink } from '#web/parts/host-link.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { FieldReason, ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { SignalDot } from '#web/ui/signal-dot.tsx'

const MAX_OPTIONS = 100
const MORE = 'more'

type Props = {
  hosts: readonly ServerHost[]
  selected: ServerHost | undefined
  onSelect(host: ServerHost): void
  /** Why a server has to be chosen before anything else. The choice then has the focus. */
  toChoose: string | undefined
  isBorrowable: boolean
  onBorrowable(isBorrowable: boolean): void
  onAdd(): void
  onFiles(): void
  isLocked: boolean
  /** Why nothing can be changed here. */
  readOnly: string | undefined
  /** Shown next to the server: who shares it. */
  children: ReactNode
}

/** Selects the license server to work on. */
export function ServerBar(props: Props) {
  const { hosts, selected, onSelect, toChoose, isBorrowable, onBorrowable, onAdd, onFiles, isLocked, readOnly } = props
  const choice = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (toChoose) choice.current?.focus()
  }, [toChoose])
  const byKey = useMemo(() => new Map(hosts.map((host) => [keyOf(host), host])), [hosts])
  const options = useMemo(() => hosts.map((host) => ({ value: keyOf(host), label: hostText(host) })), [hosts])
  return (
    <Paper className={classes.server} component="section" aria-label="Server">
      <Group gap="0.75rem" align="flex-end">
        <Select
          ref={choice}
          description={toChoose}
          className={classes.hosts}
          label="Server"
          searchable
          allowDeselect={false}
          placeholder={hosts.length === 0 ? NO_SERVER_FOUND : 'Search by name or host ID'}
          nothingFoundMessage={NO_SERVER_FOUND}
          data={options}
          value={selected ? keyOf(selected) : null}
          limit={MAX_OPTIONS}
          filter={filterHosts}
          disabled={isLocked || hosts.length === 0}
          selectFirstOptionOnChange
          maxDropdownHeight={360}
          comboboxProps={{ shadow: 'md', withinPortal: false }}
          renderOption={({ option }) => <HostOption host={byKey.get(option.value)} text={option.label} />}
          // Typing replaces the selected server instead of adding to its name.
          onFocus={(event) => event.currentTarget.select()}
          onClick={(event) => event.currentTarget.select()}
          onChange={(key) => {
            const host = byKey.get(key ?? '')
            if (host && host !== selected) onSelect(host)
          }}
        />
        <div>
          <Text span display="block" size="sm" fw={500}>
            Create a New Host ID
          </Text>
          <ReasonTooltip reason={readOnly}>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={isLocked}
              onClick={onAdd}
            >
              Add server
            </Button>
          </ReasonTooltip>
        </div>
        <div className={classes.associated}>{props.children}</div>
      </Group>
      {selected && (
        <Group gap="0.5rem 1.25rem" fz="sm">
          {!selected.isNew && <HostLink host={selected} />}
          <span className={classes.hostId}>
            {hostIdLabel(selected)}
            <CopyButton value={selected.serverId} what="host ID" />
          </span>
          <StateBadge host={selected} />
          <FieldReason reason={readOnly}>
            <Checkbox
              size="xs"
              label="Borrowable"
              checked={isBorrowable}
              disabled={isLocked || readOnly !== undefined}
              aria-description={readOnly}
              onChange={(event) => onBorrowable(event.currentTarget.checked)}
            />
          </FieldReason>
          {!selected.isNew && (
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconFileText size={15} aria-hidden />}
              onClick={onFiles}
            >
              License files
            </Button>
          )}
          <Text span inherit c="dimmed" title={selected.generatedBy ? `By ${selected.generatedBy}` : undefined}>
            {lastFileText(selected)}
          </Text>
        </Group>
      )}
    </Paper>
  )
}

const keyOf = ({ serverId, serverIdType }: ServerHost) => `${serverIdType} ${serverId}`
const hostText = (host: ServerHost) => `${host.serverName} (${hostIdLabel(host)})`

/** Finds by a part of the name or of the id. */
const filterHosts: OptionsFilter = ({ options, search, limit }) => {
  const wanted = search.trim().toLowerCase()
  const found = (options as ComboboxItem[]).filter(({ label }) => label.toLowerCase().includes(wanted))
  const more = found.length - limit
  return more > 0 ? [...found.slice(0, limit), { value: MORE, label: moreText(more), disabled: true }] : found
}

const moreText = (more: number) => `${countText(more)} more. Type a part of the name or host ID to find them.`

function HostOption({ host, text }: { host: ServerHost | undefined; text: string }) {
  if (!host) return text
  return (
    <span className={classes.hostOption}>
      <span className={classes.hostName}>
        {host.serverName.replaceAll(',', ', ')}
        <span className={classes.optionId}>{hostIdLabel(host).replaceAll(',', ', ')}</span>
      </span>
      <StateBadge host={host} />
    </span>
  )
}

export function StateBadge({ host }: { host: ServerHost }) {
  return (
    <span className={classes.badges}>
      {host.isOutOfDate && <SignalDot signal="orange">File out of date</SignalDot>}
      {host.isShared && (
        <Badge size="sm" variant="default">
          Shared
        </Badge>
      )}
      <Badge size="sm" variant="default">
        {host.isNew ? 'New' : host.state}
      </Badge>
    </span>
  )
}

function lastFileText({ isNew, generatedAt }: ServerHost): string {
  if (isNew) return 'Saved when you activate a product on it'
  return generatedAt ? `Last license file ${timeText(generatedAt)}` : 'No license file yet'
}
