import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { type ServerHost, serversQuery } from '#web/modules/activations/activations.api.ts'
import { AddHostDialog } from '#web/modules/activations/hosts/add-host.dialog.tsx'
import { ConfirmPlanDialog } from '#web/modules/activations/plans/confirm-plan.dialog.tsx'

type Props = { customerNumber: string; host: HostIdentity; onClose(): void }

/** Moves everything from one host to another: first where to, then the confirmation. */
export function RehostDialog({ customerNumber, host, onClose }: Props) {
  const { data: known } = useQuery(serversQuery(customerNumber))
  const [target, setTarget] = useState<ServerHost>()
  const [isConfirming, setIsConfirming] = useState(false)
  const isChosen = useRef(false)
  if (target && isConfirming)
    return (
      <ConfirmPlanDialog
        request={{ customerNumber, action: 'REHOST', host, target }}
        onClose={onClose}
        onBack={() => {
          isChosen.current = false
          setIsConfirming(false)
        }}
      />
    )
  if (!known) return null
  return (
    <AddHostDialog
      customerNumber={customerNumber}
      known={known}
      rehosted={host}
      entered={target}
      onAdd={(chosen) => {
        isChosen.current = true
        setTarget(chosen)
        setIsConfirming(true)
      }}
      // Also called after a host was chosen, when the confirmation follows.
      onClose={() => isChosen.current || onClose()}
    />
  )
}
