import { useForm as useMantineForm } from '@mantine/form'
import { useEffectEvent, useMemo, useState } from 'react'
import type { FailureCode } from '#contract/kit/failure-code.ts'
import { type Draft, type DraftRow, hasRemovedRows, toDraft, toValues } from '#web/form/draft.ts'
import type { Errors, Fields } from '#web/form/fields.ts'
import { useKeptDraft } from '#web/form/kept-draft.ts'
import { type InputProps, type RowOf, rowsOf } from '#web/form/rows.ts'
import { useSave } from '#web/form/use-save.ts'
import { useShownErrors } from '#web/form/use-shown-errors.ts'
import {
  type Difference,
  differencesBetween,
  isSame,
  mergeSuggested,
  mergeVersions,
  type Side,
} from '#web/form/versions.ts'
import { type ApiError, ConflictError, hasCode, unsavedText } from '#web/lib/api/api-error.ts'
import { closeSafely, useUnsavedChanges } from '#web/lib/kept/unsaved-changes.ts'
import { showPanel } from '#web/ui/panels.ts'

const NOTHING_CHANGED = 'Nothing has changed.'
const CHANGED_SINCE = 'Nothing was undone, because you have changed something since. Save or cancel your changes first.'
const CHOOSE_VERSION = 'Choose first which version to keep.'

type Options<Values extends object, Saved> = {
  /** What the server sent. */
  loaded: Saved
  /** The part of it that is edited here. Also called with the server's versions after a conflict. */
  valuesOf(saved: Saved): Values
  fields: Fields<Values>
  validate?(values: Values, original: Saved): Errors
  save(values: Values, original: Saved, idempotencyKey: string): Promise<Saved>
  /** The text of the success panel. */
  success: string
  onSaved?(saved: Saved, before: Saved): void
  /** Asks before saving. False cancels the save. */
  confirm?(values: Values, original: Saved): Promise<boolean>
  /** The field that shows a refusal with this code. All other failures are shown in a panel. */
  refusals?: Partial<Record<FailureCode, keyof Values & string>>
  /** Why this person cannot change anything; undefined if they can. */
  readOnly?: string | undefined
  /** Why an unchanged form cannot be saved, if something still has to be entered. */
  unchanged?: string
  /** The values that it begins with can be saved as they are. */
  canSaveUnchanged?: boolean
  /** Keeps unsaved values in this browser under this name and offers them when the form is opened again. */
  draftName?: string
  /** The values are a secret: they are kept in memory only, and encrypted while the person signs in again. */
  isSecret?: boolean
  /** The success panel offers to save what was there before. */
  hasUndo?: boolean
  /** Failures are shown in the dialog, because panels are behind it. */
  isInDialog?: boolean
}

export type Conflict = {
  readonly message: string
  readonly differences: readonly Difference[]
  resolve(choose: (id: string) => Side): void
}

/** What `<Form>` and `<FormFooter>` need of a form, independent of its values. */
export type FormFrame = Pick<
  ReturnType<typeof useForm<object, unknown>>,
  | 'readOnly'
  | 'isInDialog'
  | 'isSaving'
  | 'isChanged'
  | 'isForbidden'
  | 'obstacle'
  | 'failure'
  | 'dismissFailure'
  | 'conflict'
  | 'keptDraft'
  | 'cancel'
  | 'leave'
  | 'submit'
>

/** The state of one form. Pass it to `<Form>`, and `field('name')` to its inputs. */
export function useForm<Values extends object, Saved>(options: Options<Values, Saved>) {
  const {
    fields,
    valuesOf,
    validate,
    readOnly,
    refusals = {},
    isInDialog = false,
    unchanged = NOTHING_CHANGED,
  } = options
  const [original, setOriginal] = useState(options.loaded)
  const [initial] = useState(() => toDraft(fields, valuesOf(options.loaded)))
  const [conflict, setConflict] = useState<ConflictError>()
  const shownErrors = useShownErrors()
  const form = useMantineForm<Draft>({
    mode: 'controlled',
    initialValues: initial,
    // A refusal was about the values that were sent, not about the changed ones.
    onValuesChange: () => form.clearErrors(),
  })
  const draft = form.values
  const setValue = (name: string, value: unknown) => form.setFieldValue<Draft, string>(name, value as never)
  const values = useMemo(() => toValues(fields, draft), [fields, draft])
  const errors = useMemo(() => validate?.(values, original) ?? {}, [validate, values, original])
  const [savedValues, setSavedValues] = useState(() => valuesOf(options.loaded))
  const isDirty = useMemo(() => !isSame(fields, values, savedValues), [fields, values, savedValues])
  const kept = useKeptDraft({
    name: options.draftName,
    isSecret: options.isSecret ?? false,
    isDirty,
    original: savedValues,
    values,
  })
  useUnsavedChanges(isDirty, { discard: kept.isKept ? kept.forget : undefined })

  const start = (saved: Saved, shown = valuesOf(saved)) => {
    setOriginal(saved)
    setSavedValues(valuesOf(saved))
    form.setValues(toDraft(fields, shown, valuesOf(saved)))
    setConflict(undefined)
    shownErrors.hide()
    reset()
  }
  type Input = { values: Values; original: Saved }
  const undo = useEffectEvent((saved: Saved, before: Saved) => {
    if (isDirty) showPanel('warning', CHANGED_SINCE)
    else save({ values: valuesOf(before), original: saved })
  })
  const { save, isSaving, error, reset } = useSave({
    send: (input: Input, key) => options.save(input.values, input.original, key),
    success: options.success,
    ...(options.hasUndo && { undo: (saved: Saved, input: Input) => undo(saved, input.original) }),
    onSaved: (saved, input) => {
      kept.forget()
      start(saved)
      options.onSaved?.(saved, input.original)
    },
    onFailed: (error) => {
      if (error instanceof ConflictError) setConflict(error)
      const name = refusedField(error)
      if (name) form.setFieldError(name, unsavedText(error))
      return isInDialog || name !== undefined || error instanceof ConflictError || hasCode(error, 'NOT_ALLOWED')
    },
  })
  const refusedField = (error: Error): string | undefined =>
    (refusals as Record<string, string | undefined>)[(error as Partial<ApiError>).code ?? '']

  const isLocked = readOnly !== undefined || conflict !== undefined
  /** Why it cannot be saved now; undefined if it can. */
  const isSavable = isDirty || options.canSaveUnchanged === true
  const obstacle = readOnly ?? (conflict ? CHOOSE_VERSION : isSavable ? Object.values(errors).find(Boolean) : unchanged)
  const canSave = obstacle === undefined && !isSaving

  const inputProps = (path: string, id: string, error: string | undefined): InputProps => {
    const { value, ...props } = form.getInputProps(path)
    return {
      ...props,
      ...(typeof value === 'boolean' ? { checked: value } : { value }),
      error: props.error ?? shownErrors.errorOf(id, error, value),
      disabled: isLocked,
      ...shownErrors.events(id),
    }
  }

  return {
    values,
    original,
    readOnly,
    isInDialog,
    isDirty,
    isSaving,
    isLocked,
    obstacle,
    /** For Cancel, removed rows that were never saved count as a change. */
    isChanged: isDirty || hasRemovedRows(draft),
    isForbidden: hasCode(error, 'NOT_ALLOWED'),
    /** The failure that a dialog shows above its buttons. */
    failure: isInDialog && error && !conflict && !refusedField(error) ? unsavedText(error) : undefined,
    dismissFailure: reset,
    conflict: conflict && conflictOf(conflict),
    keptDraft:
      kept.offered && readOnly === undefined ? { at: kept.offered.at, restore, discard: kept.forget } : undefined,
    /** Props for the input of this field. */
    field: (name: keyof Values & string): InputProps => inputProps(name, name, errors[name]),
    change: <Name extends keyof Values & string>(name: Name, value: Values[Name]) => setValue(name, value),
    /** For a dialog: closes it, after a question if its own changes would be lost. */
    leave: (close: () => void) => closeSafely({ isDirty, discard: kept.forget }, close),
    /** Back to what was loaded or saved last. */
    cancel: () => start(conflict ? (conflict.versions.current as Saved) : original),
    async submit() {
      if (!canSave) return shownErrors.reveal()
      if ((await options.confirm?.(values, original)) !== false) save({ values, original })
    },
    rows: <Name extends keyof Values & string>(name: Name) =>
      rowsOf<RowOf<Values[Name]>>({
        name,
        rows: draft[name] as (RowOf<Values[Name]> & DraftRow)[],
        newRow: (fields[name] as unknown as { newRow: RowOf<Values[Name]> }).newRow,
        errors,
        error: form.errors[name] as string | undefined,
        isLocked,
        readOnly,
        inputProps,
        setRows: (next) => setValue(name, next),
      }),
  }

  /** Takes what the person had changed, and everything else as it is now. */
  function restore() {
    if (!kept.offered) return
    const versions = { original: kept.offered.original, theirs: savedValues, yours: kept.offered.values }
    kept.forget()
    start(original, mergeSuggested(fields, versions))
  }

  function conflictOf({ message, versions }: ConflictError): Conflict {
    const current = versions.current as Saved
    const [theirs, yours] = [valuesOf(current), valuesOf(versions.yours as Saved)]
    return {
      message,
      differences: differencesBetween(fields, { original: valuesOf(original), theirs, yours }),
      resolve: (choose) => start(current, mergeVersions(fields, { theirs, yours }, choose)),
    }
  }
}
