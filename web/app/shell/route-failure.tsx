import { useRouteError } from 'react-router'
import { ApiFailure, UNREACHABLE } from '#web/lib/api-failure.ts'
import { FailureNotice } from '#web/ui/failure-notice.tsx'

/** Shown instead of a screen that threw. The shell stays, and Retry reloads the page. */
export function RouteFailure() {
  const error = useRouteError()
  const failure = isChunkFailure(error) ? new ApiFailure(0, UNREACHABLE) : error
  return <FailureNotice failure={failure} onRetry={() => window.location.reload()} />
}

/** A page chunk failed to load: the server cannot be reached, or a newer version no longer has this file. */
function isChunkFailure(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported module|importing a module script/i.test(error.message)
}
