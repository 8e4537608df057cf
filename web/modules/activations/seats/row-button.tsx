import { Button } from '@mantine/core'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

type Props = {
  text: string
  name: string
  /** Why it is disabled. */
  reason: string | undefined
  onClick(): void
}

/** Remove or Undo of one row. */
export function RowButton({ text, name, reason, onClick }: Props) {
  return (
    <ReasonTooltip reason={reason}>
      <Button
        size="compact-xs"
        variant="subtle"
        aria-label={`${text} ${name}`}
        // The second half of a double click must not undo the first.
        onClick={(event) => event.detail <= 1 && onClick()}
      >
        {text}
      </Button>
    </ReasonTooltip>
  )
}
