import { Button, Group, type ModalProps, Text } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useId } from 'react'
import { FormContext } from '#web/form/form-context.ts'
import type { FormFrame } from '#web/form/use-form.ts'
import { minuteText } from '#web/lib/format.ts'
import { NoPermissions } from '#web/lib/sign-in/no-permissions.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './form.module.css'

const ConflictPanel = lazy(async () => ({
  default: (await import('#web/form/conflict-panel.tsx')).ConflictPanel,
}))

/** Below the dialog that asks about unsaved changes. */
const BELOW_WARNING = 190

type Props = {
  form: FormFrame
  /** The fields, and a `<FormFooter>` as the last of them. */
  children: ReactNode
  /** Another form of the screen says why all of them are read-only. */
  isReasonHidden?: boolean
}

/** Lays the fields out below each other. Shows both versions after a conflict, and why a form is read-only. */
export function Form({ form, children, isReasonHidden = false }: Props) {
  const reasonId = useId()
  if (form.isForbidden) return <NoPermissions />
  return (
    <FormContext value={{ form, reasonId: form.readOnly ? reasonId : undefined }}>
      <form className={classes.form} noValidate autoComplete="off" onSubmit={(event) => event.preventDefault()}>
        <Suspense>{form.conflict && <ConflictPanel conflict={form.conflict} />}</Suspense>
        {form.keptDraft && <DraftOffer draft={form.keptDraft} />}
        {form.readOnly && (
          <p id={reasonId} className={classes.reason} hidden={isReasonHidden}>
            {form.readOnly}
          </p>
        )}
        {children}
      </form>
    </FormContext>
  )
}

/** Offers the unsaved changes of an earlier visit. */
function DraftOffer({ draft: { at, restore, discard } }: { draft: NonNullable<FormFrame['keptDraft']> }) {
  return (
    <SignalStrip signal="blue" role="status">
      <Text>You have unsaved changes from {minuteText(at)}.</Text>
      <Group gap="xs" mt="xs">
        <Button size="xs" onClick={restore}>
          Restore changes
        </Button>
        <Button size="xs" variant="default" onClick={discard}>
          Discard changes
        </Button>
      </Group>
    </SignalStrip>
  )
}

/** A form in a dialog. Closing it with unsaved changes of its own asks first. */
export function FormDialog({
  form,
  children,
  onClose,
  ...modal
}: Props & Pick<ModalProps, 'title' | 'size' | 'onClose'>) {
  return (
    <Dialog onClose={() => form.leave(onClose)} zIndex={BELOW_WARNING} {...modal}>
      <Form form={form}>{children}</Form>
    </Dialog>
  )
}
