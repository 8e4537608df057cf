import { Stack } from '@mantine/core'
import { bringIntoView } from '#web/ui/panels/bring-into-view.ts'
import { dismissPanel, type Panel, usePanels } from '#web/ui/panels/panels.ts'
import { SignalStrip } from '#web/ui/signal/signal-strip.tsx'

const LOOK = {
  success: { signal: 'green', role: 'status' },
  error: { signal: 'red', role: 'alert' },
  warning: { signal: 'orange', role: 'alert' },
} as const satisfies Record<Panel['kind'], unknown>

export function PanelList() {
  const panels = usePanels()
  if (panels.length === 0) return null
  return (
    <Stack gap="xs" mb="md">
      {panels.map((panel) => (
        <SignalStrip key={panel.id} ref={bringIntoView} {...LOOK[panel.kind]} onClose={() => dismissPanel(panel.id)}>
          {panel.text}
        </SignalStrip>
      ))}
    </Stack>
  )
}
