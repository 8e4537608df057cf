import { useRouteError } from 'react-router'
import { ApiError, UNREACHABLE } from '#web/lib/api/api-error.ts'
import { FailureNotice } from '#web/ui/failure-notice.tsx'

/** Shown instead of a screen that threw. The shell stays, and Retry reloads the page. */
export function RouteFailure() {
  const error = useRouteError()
  const failure = isChunkFailure(error) ? new ApiError(0, UNREACHABLE) : error
  return <FailureNotice failure={failure} onRetry={() => window.location.reload()} />
}

/** Errors of page chunks that failed to load: the server cannot be reached, or a newer version no longer has the file. */
const chunkFailures = new WeakSet<object>()
window.addEventListener('vite:preloadError', ({ payload }) => chunkFailures.add(payload))

function isChunkFailure(error: unknown): boolean {
  return typeof error === 'object' && error !== null && chunkFailures.has(error)
}
