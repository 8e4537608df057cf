import { useRouteError } from 'react-router'
import { ApiFailure, UNREACHABLE } from '#web/lib/api-failure.ts'
import { FailureNotice } from '#web/ui/failure-notice.tsx'

/** Where a screen threw: the shell around it stays, and a reload begins anew. */
export function RouteFailure() {
  const error = useRouteError()
  const failure = isMissingCode(error) ? new ApiFailure(0, UNREACHABLE) : error
  return <FailureNotice failure={failure} onRetry={() => window.location.reload()} />
}

/** The code of a screen could not be loaded: the server is away, or has a newer version without this file. */
function isMissingCode(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported module|importing a module script/i.test(error.message)
}
