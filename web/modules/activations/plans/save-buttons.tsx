import { Button, Text } from '@mantine/core'
import type { CustomerActivations } from '#domain/activations/seats/activation-selection.ts'
import { editChanges } from '#domain/activations/seats/seat-changes.ts'
import { emailButtonText, generateButtonText } from '#domain/activations/seats/selection-texts.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { countOf } from '#web/lib/format.ts'
import type { SaveButtonKind } from '#web/modules/activations/plans/save-job.ts'
import { saveText } from '#web/modules/activations/plans/save-text.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

type Props = {
  licensed: readonly CustomerActivations[]
  /** Why there is nothing to cancel, or to save; undefined if there is. */
  notCancelable: string | undefined
  notReady: string | undefined
  onCancel(): void
  onSave(button: SaveButtonKind): void
}

/** What a save would do, and the buttons for it. */
export function SaveButtons({ licensed, notCancelable, notReady, onCancel, onSave }: Props) {
  const changes = editChanges(licensed, useKnownCustomer().info.today)
  return (
    <>
      {changes.length > 0 && (
        <Text c="dimmed" role="status">
          {saveText(changes)} · {countOf(new Set(changes.map((one) => one.ansysproduct)).size, 'product')}
        </Text>
      )}
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
