import { Button } from '@mantine/core'
import { useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'react-router'
import { dismissPanel, dropSuccessOfOtherScreens, screenAt, usePanels } from '#web/ui/panels.ts'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './panel-list.module.css'

const SUCCESS_STAYS = 8_000
/** Somebody has to notice that it was a mistake. */
const UNDO_STAYS = 20_000
const SIGNALS = { success: 'green', error: 'red', warning: 'orange' } as const

/** An overlay below the toolbar, so that nothing moves under the pointer when a panel appears. */
export function PanelList() {
  const panels = usePanels()
  const success = panels.find((panel) => panel.kind === 'success')
  const screen = screenAt(useLocation())
  useLayoutEffect(() => dropSuccessOfOtherScreens(screen), [screen])
  useEffect(() => {
    if (!success) return
    const timer = setTimeout(() => dismissPanel(success.id), success.undo ? UNDO_STAYS : SUCCESS_STAYS)
    return () => clearTimeout(timer)
  }, [success])
  return (
    <div className={classes.overlay}>
      <div className={classes.panels}>
        {panels.map(
          ({ id, kind, text }) =>
            kind !== 'success' && (
              <SignalStrip key={id} signal={SIGNALS[kind]} role="alert" onClose={() => dismiss(id)}>
                {text}
              </SignalStrip>
            ),
        )}
        {/* A live region has to exist before its text. It is the last one, so that no error moves when it disappears. */}
        <div role="status">
          {success && (
            <SignalStrip key={success.id} signal={SIGNALS.success} onClose={() => dismiss(success.id)}>
              {success.text}
              {success.undo && <UndoButton id={success.id} undo={success.undo} />}
            </SignalStrip>
          )}
        </div>
      </div>
    </div>
  )
}

function UndoButton({ id, undo }: { id: number; undo(): void }) {
  const take = () => {
    dismiss(id)
    undo()
  }
  return (
    <Button size="compact-sm" variant="default" ml="0.75rem" onClick={take}>
      Undo
    </Button>
  )
}

/** The focused button disappears with its panel, so the focus moves to the content. */
function dismiss(id: number): void {
  document.getElementById('main')?.focus({ preventScroll: true })
  dismissPanel(id)
}
