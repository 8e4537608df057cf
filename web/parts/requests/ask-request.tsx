import { lazy, Suspense } from 'react'
import { WRITE_ACTIONS } from '#domain/requests/request.ts'
import { useCan } from '#web/lib/customer.tsx'
import type { AskRequestProps } from '#web/parts/requests/ask-request-button.tsx'

const AskRequestButton = lazy(async () => ({
  default: (await import('#web/parts/requests/ask-request-button.tsx')).AskRequestButton,
}))

/** For people who may only look: they ask, and an administrator decides. Others see no button, and load nothing of it. */
export function AskRequest(props: AskRequestProps) {
  const mayDoIt = useCan(WRITE_ACTIONS[props.kind])
  const mayAsk = useCan('requests.ask')
  if (mayDoIt || !mayAsk) return null
  return (
    <Suspense>
      <AskRequestButton {...props} />
    </Suspense>
  )
}
