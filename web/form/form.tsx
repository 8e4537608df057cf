import { Modal, type ModalProps } from '@mantine/core'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { ConflictPanel } from '#web/form/conflict-panel.tsx'
import { FormContext } from '#web/form/form-context.ts'
import type { FormFrame } from '#web/form/use-form.ts'
import { NoPermissions } from '#web/lib/no-permissions.tsx'
import { leaveSafely } from '#web/lib/unsaved-changes.ts'
import classes from './form.module.css'

/** The question about unsaved changes is on the level of all other dialogs, and must be above this one. */
const BELOW_WARNING = 190

type Props = {
  form: FormFrame
  /** The fields, and a `<FormFooter>` as the last of them. */
  children: ReactNode
}

/** Puts the fields of a form below each other. Shows both versions after a conflict, and why a form is read-only. */
export function Form({ form, children }: Props) {
  const reasonId = useId()
  if (form.isForbidden) return <NoPermissions />
  return (
    <FormContext value={{ form, reasonId: form.readOnly ? reasonId : undefined }}>
      <form className={classes.form} noValidate autoComplete="off" onSubmit={(event) => event.preventDefault()}>
        {form.conflict && <ConflictPanel conflict={form.conflict} />}
        {form.readOnly && (
          <p id={reasonId} className={classes.reason}>
            {form.readOnly}
          </p>
        )}
        {children}
      </form>
    </FormContext>
  )
}

/** A form in a dialog. Closing it with unsaved changes is asked about. */
export function FormDialog({
  form,
  children,
  onClose,
  ...modal
}: Props & Pick<ModalProps, 'title' | 'size' | 'onClose'>) {
  useFocusReturn()
  return (
    <Modal opened onClose={() => leaveSafely(onClose)} zIndex={BELOW_WARNING} {...modal}>
      <Form form={form}>{children}</Form>
    </Modal>
  )
}

/** A dialog that is taken away instead of closed does not give the focus back by itself. */
function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(() => () => (before instanceof HTMLElement ? before.focus({ preventScroll: true }) : undefined), [before])
}
