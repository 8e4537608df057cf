import { useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'react-router'
import { dismissPanel, leaveSuccessBehind, screenAt, usePanels } from '#web/ui/panels.ts'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './panel-list.module.css'

const SUCCESS_STAYS = 8_000
const SIGNALS = { success: 'green', error: 'red', warning: 'orange' } as const

/** Lies over the content below the toolbar: nothing may move under the pointer because something is told. */
export function PanelList() {
  const panels = usePanels()
  const success = panels.find((panel) => panel.kind === 'success')
  const screen = screenAt(useLocation())
  useLayoutEffect(() => leaveSuccessBehind(screen), [screen])
  useEffect(() => {
    if (!success) return
    const timer = setTimeout(() => dismissPanel(success.id), SUCCESS_STAYS)
    return () => clearTimeout(timer)
  }, [success])
  return (
    <div className={classes.place}>
      <div className={classes.panels}>
        {panels.map(
          ({ id, kind, text }) =>
            kind !== 'success' && (
              <SignalStrip key={id} signal={SIGNALS[kind]} role="alert" onClose={() => dismiss(id)}>
                {text}
              </SignalStrip>
            ),
        )}
        {/* Read out in a pause only if it was there before its text. The last one, so that no error moves when it goes. */}
        <div role="status">
          {success && (
            <SignalStrip key={success.id} signal={SIGNALS.success} onClose={() => dismiss(success.id)}>
              {success.text}
            </SignalStrip>
          )}
        </div>
      </div>
    </div>
  )
}

/** The button goes with its panel; the keyboard goes on in the content. */
function dismiss(id: number): void {
  document.getElementById('main')?.focus({ preventScroll: true })
  dismissPanel(id)
}
