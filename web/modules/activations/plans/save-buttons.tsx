import { Button } from '@mantine/core'
import type { CustomerActivations } from '#domain/activations/seats/activation-selection.ts'
import { emailButtonText, generateButtonText } from '#domain/activations/seats/selection-texts.ts'
import type { SaveButtonKind } from '#web/modules/activations/plans/save-job.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

type Props = {
  licensed: readonly CustomerActivations[]
  /** Why there is nothing to cancel, or to save; undefined if there is. */
  notCancelable: string | undefined
  notReady: string | undefined
  onCancel(): void
  onSave(button: SaveButtonKind): void
}

export function SaveButtons({ licensed, notCancelable, notReady, onCancel, onSave }: Props) {
  return (
    <>
      <ReasonTooltip reason={notCancelable}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </ReasonTooltip>
      <ReasonTooltip reason={notReady}>
        <Button variant="default" onClick={() => onSave('email')}>
          {emailButtonText(licensed)}
        </Button>
      </ReasonTooltip>
      <ReasonTooltip reason={notReady}>
        <Button onClick={() => onSave('generate')}>{generateButtonText(licensed)}</Button>
      </ReasonTooltip>
    </>
  )
}
