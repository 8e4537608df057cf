import { Button, Popover } from '@mantine/core'
import { IconBookmark, IconColumns3, IconFilterOff, IconRestore } from '@tabler/icons-react'
import { memo, type ReactNode, useState } from 'react'
import type { ColumnsPanel } from '#web/table/frame/columns-panel.tsx'
import { PhoneFilters } from '#web/table/frame/phone-filters.tsx'
import type { ViewsPanel } from '#web/table/frame/views-panel.tsx'
import type { Table } from '#web/table/use-table.ts'
import type { NamedViews } from '#web/table/view/named-views.api.ts'
import { hasFilters } from '#web/table/view/table-view.ts'
import classes from './frame.module.css'

type Props = {
  table: Pick<Table<never>, 'columns' | 'state'>
  isPhone: boolean
  isFolded: boolean
  title: ReactNode
  controls: ReactNode
  actions: ReactNode
}

/** Above every table, the same things in the same place. */
export function TableBar({ table, isPhone, isFolded, title, controls, actions }: Props) {
  return (
    <div className={classes.bar} data-titled={title ? true : undefined}>
      {title}
      {!isFolded && (
        <>
          <div className={classes.controls}>{controls}</div>
          <div className={classes.actions}>
            {actions}
            <ViewButtons columns={table.columns} state={table.state} isPhone={isPhone} />
          </div>
        </>
      )}
    </div>
  )
}

type ViewProps = Pick<Table<never>, 'columns' | 'state'> & { isPhone: boolean }

/** What changes how the table shows its rows. Drawn again only when the view changes, not with every answer. */
const ViewButtons = memo(function ViewButtons({ isPhone, ...table }: ViewProps) {
  const { state } = table
  return (
    <>
      {isPhone ? <PhoneFilters table={table} /> : <ColumnsButton table={table} />}
      {state.named && <ViewsButton named={state.named} />}
      <Button
        variant="default"
        size="xs"
        className={classes.quiet}
        leftSection={<IconFilterOff size={15} aria-hidden />}
        disabled={!hasFilters(state.view)}
        onClick={state.clearFilters}
      >
        Clear Filters
      </Button>
      <Button
        variant="default"
        size="xs"
        className={classes.quiet}
        leftSection={<IconRestore size={15} aria-hidden />}
        disabled={state.isDefault}
        onClick={state.reset}
      >
        Reset View
      </Button>
    </>
  )
})

/** The panel must fit into the window, because it closes when somebody scrolls. */
const MIDDLEWARES = { size: { padding: 8 } }

/** Opens the columns panel. Its code is loaded first, so that the focus can move into it. */
function ColumnsButton({ table }: { table: Pick<Table<never>, 'columns' | 'state'> }) {
  const [Panel, setPanel] = useState<typeof ColumnsPanel>()
  const load = async () => {
    const loaded = await import('#web/table/frame/columns-panel.tsx')
    setPanel(() => loaded.ColumnsPanel)
  }
  return (
    <PanelButton label="Columns" icon={<IconColumns3 size={15} aria-hidden />} load={load}>
      {() => Panel && <Panel table={table} />}
    </PanelButton>
  )
}

/** Opens the list of named views. */
function ViewsButton({ named }: { named: NamedViews }) {
  const [Panel, setPanel] = useState<typeof ViewsPanel>()
  const load = async () => {
    const loaded = await import('#web/table/frame/views-panel.tsx')
    setPanel(() => loaded.ViewsPanel)
  }
  return (
    <PanelButton
      label={named.shown?.name ?? 'Views'}
      name={named.shown && `Views: ${named.shown.name}`}
      icon={<IconBookmark size={15} aria-hidden />}
      panelClass={classes.viewsPanel}
      load={load}
    >
      {(close) => Panel && <Panel named={named} onClose={close} />}
    </PanelButton>
  )
}

type PanelProps = {
  label: string
  /** The accessible name, if the label is not enough. */
  name?: string | undefined
  icon: ReactNode
  panelClass?: string | undefined
  load(): Promise<void>
  children(close: () => void): ReactNode
}

function PanelButton({ label, name, icon, panelClass = classes.columnsPanel, load, children }: PanelProps) {
  const [isOpen, setIsOpen] = useState(false)
  const toggle = async () => {
    await load()
    setIsOpen((now) => !now)
  }
  return (
    <Popover position="bottom-end" trapFocus middlewares={MIDDLEWARES} opened={isOpen} onChange={setIsOpen}>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          className={classes.panelButton}
          aria-label={name}
          leftSection={icon}
          onClick={toggle}
        >
          <span className={classes.panelLabel}>{label}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={panelClass}>{children(() => setIsOpen(false))}</Popover.Dropdown>
    </Popover>
  )
}
