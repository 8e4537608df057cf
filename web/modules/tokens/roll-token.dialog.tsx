import { Button, Group, NumberInput } from '@mantine/core'
import { useState } from 'react'
import type { NewTokenAnswer, SavedTokenPolicy } from '#contract/tokens/tokens.ts'
import { DEFAULT_LIFE, DEFAULT_OVERLAP, lifeProblem, MAX_OVERLAP, overlapProblem } from '#domain/tokens/token-rules.ts'
import { useSave } from '#web/form/use-save.ts'
import { unsavedText } from '#web/lib/api-failure.ts'
import { sendRoll, type TokenRow } from '#web/modules/tokens/tokens.api.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './tokens.module.css'

type Props = {
  customerNumber: string
  token: TokenRow
  policy: SavedTokenPolicy
  onMade(name: string, made: NewTokenAnswer): void
  onClose(): void
}

export function RollTokenDialog({ customerNumber, token, policy, onMade, onClose }: Props) {
  const [days, setDays] = useState<number | string>(Math.min(DEFAULT_LIFE, policy.longestDays))
  const [overlap, setOverlap] = useState<number | string>(DEFAULT_OVERLAP)
  const daysProblem = lifeProblem(toNumber(days), policy)
  const hoursProblem = overlapProblem(toNumber(overlap))
  const rolling = useSave({
    send: (wanted: { id: string; days: number; overlapHours: number }, key) =>
      sendRoll({ customerNumber, ...wanted }, key),
    success: 'The token has been replaced.',
    onSaved: (made) => onMade(token.name, made),
    onFailed: () => true,
  })
  return (
    <Dialog title={`Replace "${token.name}"`} size={520} onClose={onClose}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!daysProblem && !hoursProblem && !rolling.isSaving)
            rolling.save({ id: token.id, days: toNumber(days), overlapHours: toNumber(overlap) })
        }}
      >
        <p className={classes.about}>
          You get a new token with the same name, scopes and addresses, and become its owner. Both tokens work during
          the overlap.
        </p>
        <NumberInput
          label="Days"
          description={`The new token ends after this many days, ${policy.longestDays} at most.`}
          value={days}
          onChange={setDays}
          error={daysProblem}
          min={1}
          max={policy.longestDays}
          allowDecimal={false}
          clampBehavior="none"
          data-autofocus
        />
        <NumberInput
          label="Overlap in hours"
          description={`How long the old token still works, ${MAX_OVERLAP} hours at most.`}
          value={overlap}
          onChange={setOverlap}
          error={hoursProblem}
          min={0}
          max={MAX_OVERLAP}
          allowDecimal={false}
          clampBehavior="none"
        />
        {rolling.error && (
          <SignalStrip signal="red" role="alert">
            {unsavedText(rolling.error)}
          </SignalStrip>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={rolling.isSaving} disabled={Boolean(daysProblem ?? hoursProblem)}>
            Replace token
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}

/** An empty field is no number. */
const toNumber = (value: number | string) => (value === '' ? Number.NaN : Number(value))
