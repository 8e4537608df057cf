import { Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { MAX_REASON, REASON_REQUIRED } from '#domain/access-review/decision.ts'
import { countText } from '#web/lib/format.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'

type Props = {
  count: number
  /** Of a single one. */
  name: string | undefined
  /** Some of them are accesses of people. */
  hasPersons: boolean
  isSaving: boolean
  onTake(reason: string, withEverything: boolean): void
  onClose(): void
}

/** Asks why before anything ends. What is refused is said afterwards, by name. */
export function TakeAwayDialog({ count, name, hasPersons, isSaving, onTake, onClose }: Props) {
  const [reason, setReason] = useState('')
  const [withEverything, setWithEverything] = useState(false)
  const [isTried, setIsTried] = useState(false)
  const isMissing = reason.trim() === ''
  const title = count === 1 ? 'Take away access' : `Take away ${countText(count)} accesses`
  const take = () => {
    setIsTried(true)
    if (!isMissing) onTake(reason, withEverything)
  }
  return (
    <Dialog title={title} size={520} onClose={onClose}>
      <Stack gap="md">
        <Text>
          {count === 1 ? (name ?? 'The access') : `${countText(count)} accesses`} {count === 1 ? 'ends' : 'end'} at
          once. This cannot be undone here.
        </Text>
        <Textarea
          label="Reason"
          description="It is in the report of the review and in the audit log."
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={isTried && isMissing ? REASON_REQUIRED : undefined}
          maxLength={MAX_REASON}
          autosize
          minRows={3}
          required
          data-autofocus
        />
        {hasPersons && (
          <Checkbox
            label={count === 1 ? 'Everything that the person has here' : 'Everything that these people have here'}
            description="For leavers: roles, web licenses, tokens, calendar addresses, requests and places in line."
            checked={withEverything}
            onChange={(event) => setWithEverything(event.currentTarget.checked)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isSaving} onClick={take}>
            Take away
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
