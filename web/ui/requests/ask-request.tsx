import { Button } from '@mantine/core'
import { IconHandStop } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { getRequestRules } from '#contract/requests/requests.ts'
import { mayAsk, NOBODY_MAY_ASK, type RequestKind, WRITE_ACTIONS } from '#domain/requests/request.ts'
import { call } from '#web/lib/api-client.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

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
  const maySeeRules = useCan('requests.ask')
  const { number: customerNumber } = useKnownCustomer()
  const { data: rules } = useQuery({
    queryKey: ['request-askers', customerNumber],
    queryFn: ({ signal }) => call(getRequestRules, { body: { customerNumber }, signal }),
    enabled: !mayDoIt && maySeeRules,
  })
  const [isOpen, setIsOpen] = useState(false)
  if (mayDoIt || !maySeeRules) return null
  return (
    <>
      <ReasonTooltip reason={rules && !mayAsk(rules, 'contact') ? NOBODY_MAY_ASK : undefined}>
        <Button size={size} leftSection={<IconHandStop size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
          {LABELS[kind]}
        </Button>
      </ReasonTooltip>
      <Suspense>
        {isOpen && (
          <AskRequestDialog kind={kind} server={server} title={LABELS[kind]} onClose={() => setIsOpen(false)} />
        )}
      </Suspense>
    </>
  )
}
