import { Button, Group, Paper, Text, Textarea, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useDeferredValue, useId, useMemo, useState } from 'react'
import type { OptionsFile } from '#contract/options-files/options-files.ts'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { checkOptions, type OptionsProblem } from '#domain/options-files/check-options.ts'
import { type OptionsPart, readOptions, writeOptions } from '#domain/options-files/options-document.ts'
import type { Fields } from '#web/form/fields.ts'
import { Form } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useCan } from '#web/lib/customer.tsx'
import { countOf } from '#web/lib/format.ts'
import type { FileName } from '#web/modules/options-files/options-files.api.ts'
import { RuleDialog } from '#web/modules/options-files/rule.dialog.tsx'
import { RulesTable } from '#web/modules/options-files/rules-table.tsx'
import { SavePreview } from '#web/modules/options-files/save-preview.tsx'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { SignalDot } from '#web/ui/signal-dot.tsx'
import classes from './options-files.module.css'

type Values = { text: string }
/** What the form edits: the text, and the version that it began with. */
type Saved = Pick<OptionsFile, 'text' | 'revision'>
const FIELDS: Fields<Values> = { text: { label: 'Options file' } }

type Props = {
  name: FileName
  file: OptionsFile
  onSaved(): void
  /** Below the file. `restore` puts the text of an earlier version into the draft. */
  children(restore: (version: number, text: string) => void): ReactNode
}

/** The file as rules in words and as text. Both show one draft; the difference is shown before it is saved. */
export function OptionsEditor({ name, file, onSaved, children }: Props) {
  const mayWrite = useCan('activations.write')
  const { features, reservations, today } = file
  const check = (text: string) => checkOptions(text, { features, reservations, today })
  const [restored, setRestored] = useState<{ version: number; text: string }>()
  const form = useForm<Values, Saved>({
    loaded: file,
    valuesOf: ({ text }) => ({ text }),
    fields: FIELDS,
    validate: ({ text }) => ({ text: firstError(check(text)) }),
    confirm: async ({ text }, before) =>
      confirm(<SavePreview name={name} before={before.text} after={text} />, 'Save version', {
        title: 'Save this options file?',
        size: 900,
      }),
    async save({ text }, { revision }, idempotencyKey) {
      const { version } = await call('license-servers/options/save', {
        body: { ...name, text, revision, ...(restored?.text === text && { restoredFrom: restored.version }) },
        idempotencyKey,
      })
      return { text, revision: version }
    },
    success: 'The options file has been saved.',
    refusals: { OPTIONS_NOT_VALID: 'text' },
    readOnly: mayWrite ? undefined : NOT_ENOUGH_PERMISSIONS,
    draftName: `options:${name.customerNumber}:${name.serverId}:${name.daemon}`,
    onSaved,
  })
  const { text } = form.values
  const shown = useDeferredValue(text)
  const parts = useMemo(() => readOptions(shown), [shown])
  const problems = useMemo(
    () => checkOptions(shown, { features, reservations, today }),
    [shown, features, reservations, today],
  )
  const [edited, setEdited] = useState<OptionsPart | 'new'>()
  const textId = useId()
  const field = form.field('text')
  const change = (next: readonly Pick<OptionsPart, 'written'>[]) => form.change('text', writeOptions(next))
  const groups = parts.flatMap(({ statement }) => (statement?.kind === 'group' ? [statement] : []))
  const restore = (version: number, earlier: string) => {
    setRestored({ version, text: earlier })
    form.change('text', earlier)
  }
  return (
    <>
      <Paper component="section" className={classes.editor} aria-label="Options file">
        <Form form={form}>
          <div className={classes.pair}>
            <div className={classes.half}>
              <Group justify="space-between">
                <Title order={2}>Rules</Title>
                {mayWrite && (
                  <Button
                    size="xs"
                    variant="default"
                    leftSection={<IconPlus size={14} aria-hidden />}
                    disabled={form.isLocked}
                    onClick={() => setEdited('new')}
                  >
                    Add rule
                  </Button>
                )}
              </Group>
              <RulesTable
                parts={parts}
                problems={problems}
                isLocked={form.isLocked}
                onEdit={setEdited}
                onRemove={(removed) => change(parts.filter((one) => one !== removed))}
              />
            </div>
            <div className={classes.half}>
              <Title order={2} id={textId}>
                Text
              </Title>
              <Textarea
                {...field}
                value={text}
                onChange={(event) => form.change('text', event.currentTarget.value)}
                aria-labelledby={textId}
                classNames={{ input: classes.text ?? '' }}
                autosize
                minRows={8}
                maxRows={30}
                spellCheck={false}
                placeholder="# Comments begin with #. Example: RESERVE 2 feature GROUP name"
              />
            </div>
          </div>
          <Problems problems={problems} />
          <FormFooter save="Review and save" />
        </Form>
        {edited && (
          <RuleDialog
            part={edited === 'new' ? undefined : edited}
            features={features}
            groups={groups}
            onClose={() => setEdited(undefined)}
            onDone={(written) => {
              change(
                edited === 'new'
                  ? [...withLineEnd(parts), { written }]
                  : parts.map((one) => (one === edited ? { written } : one)),
              )
              setEdited(undefined)
            }}
          />
        )}
      </Paper>
      {children(restore)}
    </>
  )
}

/** A rule that is added gets a line of its own. */
function withLineEnd(parts: readonly OptionsPart[]): readonly Pick<OptionsPart, 'written'>[] {
  const last = parts.at(-1)
  if (!last || last.written.endsWith('\n')) return parts
  return [...parts.slice(0, -1), { written: `${last.written}\n` }]
}

function firstError(problems: readonly OptionsProblem[]): string | undefined {
  const found = problems.find(({ severity }) => severity === 'error')
  return found && problemText(found)
}

const problemText = ({ line, text }: OptionsProblem) => (line === null ? text : `Line ${line}: ${text}`)

const MAX_SHOWN = 20

function Problems({ problems }: { problems: readonly OptionsProblem[] }) {
  const shown = problems
    .toSorted((one, other) => Number(other.severity === 'error') - Number(one.severity === 'error'))
    .slice(0, MAX_SHOWN)
  if (problems.length === 0) return null
  return (
    <section aria-label="Problems" aria-live="polite">
      <ul className={classes.problems}>
        {shown.map((one) => (
          <li key={`${one.line} ${one.text}`}>
            <SignalDot signal={one.severity === 'error' ? 'red' : 'orange'}>
              {one.severity === 'error' ? 'Error:' : 'Warning:'}
            </SignalDot>{' '}
            {problemText(one)}
          </li>
        ))}
      </ul>
      {problems.length > MAX_SHOWN && (
        <Text c="dimmed">And {countOf(problems.length - MAX_SHOWN, 'more problem')}.</Text>
      )}
    </section>
  )
}
