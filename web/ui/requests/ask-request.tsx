import { Button } from '@mantine/core'
import { IconHandStop } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { type RequestKind, WRITE_ACTIONS } from '#domain/requests/request.ts'
import { useCan } from '#web/lib/customer.tsx'

const AskRequestDialog = lazy(async () => ({
  default: (await import('#web/ui/requests/ask-request.dialog.tsx')).AskRequestDialog,
}))

type Props = {
  kind: RequestKind
  /** The license server, for seats. */
  server?: { readonly serverId: string; readonly name: string }
  size?: 'xs' | 'sm'
}

const LABELS: Readonly<Record<RequestKind, string>> = {
  'web-license': 'Request a license',
  seats: 'Request seats',
  order: 'Request an order',
}

/** For people who may only look: they ask, and an administrator decides. Others see no button. */
export function AskRequest({ kind, server, size = 'sm' }: Props) {
  const mayDoIt = useCan(WRITE_ACTIONS[kind])
  const mayAsk = useCan('requests.ask')
  const [isOpen, setIsOpen] = useState(false)
  if (mayDoIt || !mayAsk) return null
  return (
    <>
      <Button size={size} leftSection={<IconHandStop size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
        {LABELS[kind]}
      </Button>
      <Suspense>
        {isOpen && (
          <AskRequestDialog kind={kind} server={server} title={LABELS[kind]} onClose={() => setIsOpen(false)} />
        )}
      </Suspense>
    </>
  )
}
