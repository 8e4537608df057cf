import { Button } from '@mantine/core'
import { IconHandStop } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mayAsk, NOBODY_MAY_ASK, type RequestKind } from '#domain/requests/request.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { AskRequestDialog } from '#web/parts/requests/ask-request.dialog.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

export type AskRequestProps = {
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

/** Disabled with the reason where nobody may ask. */
export function AskRequestButton({ kind, server, size = 'sm' }: AskRequestProps) {
  const { number: customerNumber } = useKnownCustomer()
  const { data: rules } = useQuery({
    queryKey: ['request-askers', customerNumber],
    queryFn: ({ signal }) => call('requests/rules', { body: { customerNumber }, signal }),
  })
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <ReasonTooltip reason={rules && !mayAsk(rules, 'contact') ? NOBODY_MAY_ASK : undefined}>
        <Button size={size} leftSection={<IconHandStop size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
          {LABELS[kind]}
        </Button>
      </ReasonTooltip>
      {isOpen && <AskRequestDialog kind={kind} server={server} title={LABELS[kind]} onClose={() => setIsOpen(false)} />}
    </>
  )
}
