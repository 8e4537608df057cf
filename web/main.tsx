import '@fontsource-variable/inter/wght.css'
import '#web/ui/theme/mantine.css'
import '#web/ui/theme/base.css'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App, Look, preparedQueries } from '#web/app/app.tsx'
import { createRouter } from '#web/app/router.tsx'
import { Unreachable } from '#web/app/shell/unreachable.tsx'
import { ApiError, UNREACHABLE } from '#web/lib/api/api-error.ts'
import { openSecretDrafts } from '#web/lib/kept/secret-drafts.ts'
import { loadRuntimeConfig } from '#web/lib/runtime-config.ts'
import { watchInput } from '#web/lib/sign-in/last-input.ts'
import { goToSignIn } from '#web/lib/sign-in/sign-in.ts'

watchInput(window)
openSecretDrafts()
const DEFAULT_BRAND = '#3451b2'
const root = createRoot(document.getElementById('root')!)
// Starts loading the code of the screen.
const router = createRouter()

/** The server knows whether the browser has a session cookie. Without one, every call would be refused. */
function hasNoSession(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="portal-session"]')?.content === 'none'
}

async function start(): Promise<void> {
  try {
    const { brand } = await loadRuntimeConfig()
    if (hasNoSession()) return goToSignIn()
    // Meanwhile the page shows the frame of index.html.
    const queries = await preparedQueries()
    // React renders a transition in slices, so that the browser can paint and respond in between.
    startTransition(() =>
      root.render(
        <Look brandColor={brand.color}>
          <App router={router} queries={queries} />
        </Look>,
      ),
    )
  } catch {
    root.render(
      <Look brandColor={DEFAULT_BRAND}>
        <Unreachable failure={new ApiError(0, UNREACHABLE)} onRetry={start} />
      </Look>,
    )
  }
}

void start()
