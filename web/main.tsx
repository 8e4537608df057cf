import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.layer.css'
import '#web/ui/theme/base.css'
import { createRoot } from 'react-dom/client'
import { App, Look } from '#web/app/app.tsx'
import { createRouter } from '#web/app/router.tsx'
import { Unreachable } from '#web/app/shell/unreachable.tsx'
import { ApiFailure, UNREACHABLE } from '#web/lib/api-failure.ts'
import { watchInput } from '#web/lib/last-input.ts'
import { loadRuntimeConfig } from '#web/lib/runtime-config.ts'

watchInput(window)
const DEFAULT_BRAND = '#3451b2'
const root = createRoot(document.getElementById('root')!)
// Begins to load the code of the screen.
const router = createRouter()

async function start(): Promise<void> {
  try {
    const { brand } = await loadRuntimeConfig()
    root.render(
      <Look brandColor={brand.color}>
        <App router={router} />
      </Look>,
    )
  } catch {
    root.render(
      <Look brandColor={DEFAULT_BRAND}>
        <Unreachable failure={new ApiFailure(0, UNREACHABLE)} onRetry={start} />
      </Look>,
    )
  }
}

await start()
