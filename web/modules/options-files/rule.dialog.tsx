import { Autocomplete, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core'
import type { OptionsFile } from '#contract/options-files/options-files.ts'
import type { OptionsGroup, RuleType } from '#domain/license-use/logs/options-statement.ts'
import type { OptionsPart } from '#domain/options-files/options-document.ts'
import { TYPE_WORDS } from '#domain/options-files/options-words.ts'
import type { Fields } from '#web/form/fields.ts'
import { FormDialog } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import {
  isGroup,
  isTimeout,
  KINDS,
  NEW_RULE,
  needsCount,
  needsFeature,
  type RuleValues,
  ruleErrors,
  toLine,
  toValues,
} from '#web/modules/options-files/rule-fields.ts'

const FIELDS: Fields<RuleValues> = {
  kind: { label: 'What it does' },
  count: { label: 'Seats', text: String },
  feature: { label: 'Feature' },
  type: { label: 'For' },
  name: { label: 'Name' },
  members: { label: 'Members' },
  seconds: { label: 'Seconds', text: String },
}

const TYPES = Object.entries(TYPE_WORDS).map(([value, label]) => ({ value, label }))

type Props = {
  /** Undefined: a new rule. */
  part: OptionsPart | undefined
  features: OptionsFile['features']
  groups: readonly OptionsGroup[]
  onClose(): void
  onDone(written: string): void
}

/** One rule in fields. It changes the draft of the file; nothing is saved here. */
export function RuleDialog({ part, features, groups, onClose, onDone }: Props) {
  const form = useForm<RuleValues, RuleValues>({
    loaded: (part?.statement && toValues(part.statement)) ?? NEW_RULE,
    valuesOf: (values) => values,
    fields: FIELDS,
    validate: ruleErrors,
    canSaveUnchanged: part === undefined,
    save: async (values) => values,
    success: part ? 'The rule was changed. Save the file to keep it.' : 'The rule was added. Save the file to keep it.',
    isInDialog: true,
    onSaved: (values) => onDone(`${toLine(values)}\n`),
  })
  const { kind, type } = form.values
  const names = groups.filter(({ isHostGroup }) => isHostGroup === (type === 'HOST_GROUP')).map(({ name }) => name)
  const takesGroup = type === 'GROUP' || type === 'HOST_GROUP'
  return (
    <FormDialog form={form} title={part ? `Edit line ${part.line}` : 'Add rule'} onClose={onClose}>
      <NativeSelect
        {...form.field('kind')}
        label="What it does"
        data={KINDS}
        onChange={(event) => form.change('kind', event.currentTarget.value as RuleValues['kind'])}
      />
      {needsCount(kind) && <NumberInput {...form.field('count')} label="Seats" min={1} allowDecimal={false} />}
      {needsFeature(kind) && (
        <Autocomplete
          {...form.field('feature')}
          label="Feature"
          description="Add :VERSION= to mean one version only."
          data={[...new Set(features.map(({ feature }) => feature))]}
        />
      )}
      {!isGroup(kind) && !isTimeout(kind) && (
        <NativeSelect
          {...form.field('type')}
          label="For"
          data={TYPES}
          onChange={(event) => form.change('type', event.currentTarget.value as RuleType)}
        />
      )}
      {!isTimeout(kind) &&
        (takesGroup && !isGroup(kind) ? (
          <Autocomplete {...form.field('name')} label="Name" data={[...new Set(names)]} />
        ) : (
          <TextInput {...form.field('name')} label="Name" />
        ))}
      {isGroup(kind) && (
        <Textarea
          {...form.field('members')}
          label="Members"
          description={
            kind === 'GROUP' ? 'User names, separated by blanks.' : 'Host names or addresses, such as 10.0.0.*'
          }
          autosize
          minRows={2}
          maxRows={10}
        />
      )}
      {isTimeout(kind) && (
        <NumberInput
          {...form.field('seconds')}
          label="Seconds without use"
          description="Then the seat comes back. Most vendor daemons allow no less than 900."
          min={1}
          allowDecimal={false}
        />
      )}
      <FormFooter save={part ? 'Change rule' : 'Add rule'} onClose={onClose} />
    </FormDialog>
  )
}
