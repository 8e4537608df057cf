import type { ReactNode } from 'react'
import { REQUEST_STATES, type RequestState, requestText } from '#domain/requests/request.ts'
import { countText } from '#web/lib/format.ts'
import type { LicenseRequest } from '#web/modules/requests/requests.api.ts'
import { HostLink } from '#web/parts/host-link.tsx'
import type { Column } from '#web/table/columns/column.ts'
import { countColumn, textColumn, timeColumn, valuesColumn } from '#web/table/columns/column-kinds.ts'
import { SignalDot } from '#web/ui/signal-dot.tsx'

export const STATE_TEXTS: Readonly<Record<RequestState, string>> = {
  open: 'Open',
  approved: 'Approved',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
}

const STATE_SIGNALS = {
  open: 'blue',
  approved: 'green',
  declined: 'none',
  withdrawn: 'none',
  expired: 'none',
} as const

/** What is requested, with a capital letter. */
export const wantedText = (request: LicenseRequest): string => capital(requestText(request))

/** The name of a license server, which ends the text, leads to its page. */
function wantedCell(request: LicenseRequest): ReactNode {
  const { kind, target: serverId, targetName: serverName } = request
  // "for" themselves stands in the column "By".
  if (kind !== 'seats') return wantedText(request).replace(` for ${request.requestedBy}`, '')
  return (
    <>
      {wantedText(request).slice(0, -serverName.length)}
      <HostLink host={{ serverId, serverName }} />
    </>
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** What was approved, if it is not what was asked for. */
export function grantedText(request: LicenseRequest): string | false {
  const { grantedProduct, grantedTarget, grantedQuantity, product, targetName, quantity } = request
  if (grantedQuantity === null) return false
  if (grantedProduct !== null || grantedTarget !== null)
    return capital(
      requestText({
        ...request,
        product: grantedProduct ?? product,
        targetName: grantedTarget ?? targetName,
        quantity: grantedQuantity,
      }),
    )
  return grantedQuantity !== quantity && `${grantedQuantity} of ${quantity}`
}

export const REQUEST_COLUMNS: readonly Column<LicenseRequest>[] = [
  timeColumn('requestedAt', 'Requested', 155, { phone: 'second line' }),
  valuesColumn('requestedBy', 'By', 224, { phone: 'second line' }),
  textColumn('product', 'Request', 240, {
    flexible: { min: 220 },
    phone: 'first line',
    text: wantedText,
    cell: wantedCell,
  }),
  textColumn('state', 'State', 106, {
    filter: {
      kind: 'text',
      hasValues: REQUEST_STATES,
      valueText: (state) => STATE_TEXTS[state as RequestState] ?? state,
    },
    phone: 'second line',
    text: ({ state }) => STATE_TEXTS[state],
    cell: ({ state }) => <SignalDot signal={STATE_SIGNALS[state]}>{STATE_TEXTS[state]}</SignalDot>,
  }),
  countColumn('quantity', 'Seats', 80, { isHidden: true }),
  countColumn('grantedQuantity', 'Approved', 90, {
    isHidden: true,
    text: ({ grantedQuantity }) => (grantedQuantity === null ? '' : countText(grantedQuantity)),
  }),
  textColumn('grantedProduct', 'Approved Instead', 180, { isHidden: true }),
  textColumn('grantedTarget', 'Approved For', 180, { isHidden: true }),
  textColumn('targetName', 'For', 180, { isHidden: true }),
  textColumn('reason', 'Reason', 220, { isHidden: true }),
  valuesColumn('decidedBy', 'Decided by', 190, { isHidden: true }),
  timeColumn('decidedAt', 'Decided', 155, { isHidden: true }),
  textColumn('decision', 'Answer', 220, { isHidden: true }),
  timeColumn('expiresAt', 'Expires', 155, { isHidden: true }),
]
