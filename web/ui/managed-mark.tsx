import { Badge, VisuallyHidden } from '@mantine/core'
import { Tooltip } from '#web/ui/tooltip.tsx'

/** Marks what came by SCIM. The tooltip and screen readers have the reason why it cannot be changed here. */
export function ManagedMark({ reason }: { reason: string }) {
  return (
    <Tooltip label={reason}>
      <span>
        {' '}
        <Badge size="sm" variant="default">
          SCIM
        </Badge>
        <VisuallyHidden>. {reason}</VisuallyHidden>
      </span>
    </Tooltip>
  )
}
