import { Button } from '@mantine/core'
import { IconDots, IconSettings } from '@tabler/icons-react'
import { memo, type ReactNode, useState } from 'react'
import type { ColumnFilter } from '#web/table/filters/column-filter.ts'
import { FilterChips } from '#web/table/frame/filter-chips.tsx'
import { PhoneFilters } from '#web/table/frame/phone-filters.tsx'
import type { ViewPanel } from '#web/table/frame/view-panel.tsx'
import type { ViewsPanel } from '#web/table/frame/views-panel.tsx'
import type { Table } from '#web/table/use-table.ts'
import { hasFilters } from '#web/table/view/table-view.ts'
import { Popover } from '#web/ui/overlays/popover.tsx'
import classes from './frame.module.css'

type ViewProps = Pick<Table<never>, 'columns' | 'state'>
type Props = {
  table: ViewProps
  isPhone: boolean
  isFolded: boolean
  /** Instead of everything else: why there are no rows. */
  note: ReactNode
  title: ReactNode
  controls: ReactNode
  /** Filters that the controls show themselves. */
  isPreset: ((column: string, filter: ColumnFilter) => boolean) | undefined
  actions: ReactNode
}

/** Above every table, the same things in the same place: one line where there is room for it. */
export function TableBar({ table, isPhone, isFolded, note, title, controls, isPreset, actions }: Props) {
  const { columns, state } = table
  return (
    <div className={classes.bar}>
      {title}
      {note && (
        <>
          <div className={classes.note}>{note}</div>
          {!state.isDefault && (
            <div className={classes.actions}>
              <ResetButton state={state} />
            </div>
          )}
        </>
      )}
      {!isFolded && (
        <>
          {controls && <div className={classes.controls}>{controls}</div>}
          {isPhone ? (
            <div className={classes.actions}>
              <PhoneFilters table={table} />
              <MoreButton state={state}>{actions}</MoreButton>
            </div>
          ) : (
            <>
              <FilterChips table={table} isPreset={isPreset} />
              <div className={classes.actions}>
                <ClearButtons state={state} />
                {actions}
                <ViewButton columns={columns} state={state} />
              </div>
            </>
          )}
        </>
      )}
    </div>
  )
}

function ClearButtons({ state }: Pick<ViewProps, 'state'>) {
  return (
    <>
      <Button
        variant="default"
        size="xs"
        className={classes.quiet}
        disabled={!hasFilters(state.view)}
        onClick={state.clearFilters}
      >
        Clear Filters
      </Button>
      <ResetButton state={state} />
    </>
  )
}

function ResetButton({ state }: Pick<ViewProps, 'state'>) {
  return (
    <Button variant="default" size="xs" className={classes.quiet} disabled={state.isDefault} onClick={state.reset}>
      Reset View
    </Button>
  )
}

/** The panel must fit into the window, because it closes when somebody scrolls. */
const MIDDLEWARES = { size: { padding: 8 } }

/** Opens what changes how the table shows its rows. Drawn again only when the view changes, not with every answer. */
const ViewButton = memo(function ViewButton(table: ViewProps) {
  const [Panel, setPanel] = useState<typeof ViewPanel>()
  const load = async () => {
    const loaded = await import('#web/table/frame/view-panel.tsx')
    setPanel(() => loaded.ViewPanel)
  }
  const shown = table.state.named?.shown?.name
  return (
    <PanelButton
      label={shown ? `View settings: ${shown}` : 'View settings'}
      icon={<IconSettings size={16} aria-hidden />}
      text={shown}
      load={load}
    >
      {(close) => Panel && <Panel table={table} onClose={close} />}
    </PanelButton>
  )
})

/** On a phone: what can be done with the table, and its views. The actions stay mounted: they may have opened a dialog. */
function MoreButton({ state, children }: Pick<ViewProps, 'state'> & { children: ReactNode }) {
  const [Panel, setPanel] = useState<typeof ViewsPanel>()
  const load = async () => {
    const loaded = await import('#web/table/frame/views-panel.tsx')
    setPanel(() => loaded.ViewsPanel)
  }
  return (
    <PanelButton label="More" icon={<IconDots size={16} aria-hidden />} load={load} keepMounted>
      {(close) => (
        <>
          <div className={classes.more}>
            {children}
            <ClearButtons state={state} />
          </div>
          {Panel && state.named && <Panel named={state.named} onClose={close} />}
        </>
      )}
    </PanelButton>
  )
}

type PanelProps = {
  label: string
  icon: ReactNode
  /** What is seen beside the icon. */
  text?: string | undefined
  keepMounted?: boolean
  /** Loads the code of the panel, so that the focus can move into it. */
  load(): Promise<void>
  children(close: () => void): ReactNode
}

function PanelButton({ label, icon, text, keepMounted = false, load, children }: PanelProps) {
  const [isOpen, setIsOpen] = useState(false)
  const toggle = async () => {
    await load()
    setIsOpen((now) => !now)
  }
  return (
    <Popover
      position="bottom-end"
      middlewares={MIDDLEWARES}
      keepMounted={keepMounted}
      opened={isOpen}
      onChange={setIsOpen}
      button={
        <Button variant="default" size="xs" className={classes.panelButton} aria-label={label} onClick={toggle}>
          {icon}
          {text && <span className={classes.panelLabel}>{text}</span>}
        </Button>
      }
      className={classes.panel}
    >
      {children(() => setIsOpen(false))}
    </Popover>
  )
}
