import { Badge, VisuallyHidden } from '@mantine/core'
import { Tooltip } from '#web/ui/tooltip.tsx'

/** The first of several, and how many more there are. The tooltip and screen readers have all of them. */
export function FirstOf({ items }: { items: readonly string[] }) {
  const [first, ...more] = items
  if (more.length === 0) return first
  return (
    <Tooltip label={items.join(', ')}>
      <span>
        {first}
        <VisuallyHidden>{`, ${more.join(', ')}`}</VisuallyHidden>{' '}
        <Badge size="sm" variant="default" aria-hidden>
          +{more.length}
        </Badge>
      </span>
    </Tooltip>
  )
}
