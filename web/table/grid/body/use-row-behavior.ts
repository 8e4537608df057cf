import { useMemo, useRef } from 'react'
import { useNavigate } from 'react-router'
import { usePortalAddress } from '#web/lib/address/portal-link.tsx'
import type { Marks } from '#web/table/engine.ts'
import type { RowBehavior } from '#web/table/grid/body/row-behavior.ts'
import type { GridOptions } from '#web/table/grid/grid-options.ts'
import { ANY_ROW } from '#web/table/rows/selection.ts'

/** The behavior of rows. Memoized, so that rows are not drawn again because of it. */
export function useRowBehavior<Row>(
  { table, rowName, rowHref, detail, childRows, canSelect = ANY_ROW, rowActions, rowState }: GridOptions<Row>,
  setExpanded: (change: (now: Marks) => Marks) => void,
  onSelect: RowBehavior<Row>['onSelect'],
): RowBehavior<Row> {
  const navigate = useNavigate()
  const addressOf = usePortalAddress()
  const latest = useRef({ addressOf, onSelect })
  latest.current = { addressOf, onSelect }
  const { rowKey } = table
  const isTree = childRows !== undefined
  return useMemo(
    () => ({
      rowName: rowName ?? rowKey,
      rowHref,
      onOpen(href, isNewTab) {
        const address = latest.current.addressOf(href)
        if (isNewTab) window.open(address, '_blank', 'noopener')
        else void navigate(address)
      },
      detail,
      onToggle: (key) =>
        setExpanded(({ [key]: isOpen, ...others }) => (isOpen ? others : { ...others, [key]: true as const })),
      canSelect,
      onSelect: (key, event) => latest.current.onSelect(key, event),
      rowActions,
      rowState,
      isTree,
    }),
    [rowName, rowKey, rowHref, detail, canSelect, rowActions, rowState, isTree, navigate, setExpanded],
  )
}
