import { Button, Group, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Draft } from '#contract/fsa/drafts.ts'
import { SaveButton } from '#web/form/save-button.tsx'
import { useSave } from '#web/form/use-save.ts'
import { ConflictError, hasCode, unsavedText } from '#web/lib/api/api-error.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { type DraftBody, draftsQuery, sendDraft } from '#web/modules/fsa/drafts.api.ts'
import { wireLines } from '#web/modules/fsa/edited-lines.ts'
import { DRAFT_GONE } from '#web/modules/fsa/fsa-texts.ts'
import type { Order } from '#web/modules/fsa/use-order.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

const MAX_NAME = 100

type Props = { order: Order; fsaId: string; onClose(): void }

/** Keeps the lines for later, or for somebody who may order them. */
export function SaveDraftDialog({ order, fsaId, onClose }: Props) {
  const { number } = useKnownCustomer()
  const { actor } = useSignedIn()
  const mayOrder = useCan('fsa.order')
  const queries = useQueryClient()
  const { draft } = order
  const mayChange = draft && !draft.isGone && !order.conflict && (mayOrder || draft.savedBy === actor.email)
  const [name, setName] = useState(draft?.name ?? '')
  const { save, isSaving, error } = useSave<DraftBody, Draft>({
    send: sendDraft,
    success: 'The draft has been saved.',
    onSaved(saved) {
      order.drafts.onSaved(saved)
      void queries.invalidateQueries(draftsQuery(number))
      onClose()
    },
    onFailed(failure) {
      if (failure instanceof ConflictError) {
        order.drafts.onConflict(failure.versions)
        onClose()
      } else if (draft && hasCode(failure, 'NOT_FOUND')) order.drafts.onGone()
      else return true
      void queries.invalidateQueries(draftsQuery(number))
      return true
    },
  })
  const keep = (as: 'new' | 'changed') =>
    save({
      customerNumber: number,
      fsaID: fsaId,
      name: name.trim(),
      products: wireLines(order.lines),
      ...(as === 'changed' && draft && { id: draft.id, revision: draft.revision }),
    })
  const isNamed = name.trim() !== ''
  return (
    <Dialog onClose={onClose} size={600} title="Save as draft" closeOnClickOutside={false}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isNamed && !isSaving) keep(mayChange ? 'changed' : 'new')
        }}
      >
        {error && (
          <SignalStrip signal="red" role="alert">
            {draft && hasCode(error, 'NOT_FOUND') ? DRAFT_GONE : unsavedText(error)}
          </SignalStrip>
        )}
        <TextInput
          data-autofocus
          mt={error ? 'sm' : undefined}
          label="Name"
          description="Everybody on this account sees the draft. Those who may order can turn it into an order."
          autoComplete="off"
          maxLength={MAX_NAME}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {mayChange && (
            <Button variant="default" disabled={!isNamed || isSaving} onClick={() => keep('new')}>
              Save as new draft
            </Button>
          )}
          <SaveButton
            isSaving={isSaving}
            reason={isNamed ? undefined : 'Enter a name first.'}
            onClick={() => keep(mayChange ? 'changed' : 'new')}
          >
            {mayChange ? 'Save changes' : 'Save draft'}
          </SaveButton>
        </Group>
      </form>
    </Dialog>
  )
}
