import { ActionIcon, Button, Group, TextInput, UnstyledButton } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconDots } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { NamedView } from '#contract/settings/table-views.ts'
import { MAX_VIEW_NAME } from '#domain/settings/table-views.ts'
import { useSave } from '#web/form/use-save.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { useCan } from '#web/lib/customer.tsx'
import {
  deleteView,
  keepView,
  type NamedViews,
  saveNewView,
  saveViewChanges,
  viewsQuery,
} from '#web/table/view/named-views.api.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './views-panel.module.css'

/** The named views of a table: own ones, and those that colleagues share. */
export function ViewsPanel({ named, onClose }: { named: NamedViews; onClose(): void }) {
  const { customerNumber, tableName, shown, choose } = named
  const { data: views, error, refetch } = useQuery(viewsQuery(customerNumber, tableName))
  const [opened, setOpened] = useState<string>()
  const [renamed, setRenamed] = useState<NamedView>()
  if (error) return <FailureNotice failure={error} onRetry={refetch} />
  if (!views) return <Spinner />
  const shared = views.filter(({ isOwn }) => !isOwn)
  const show = (view: NamedView | undefined) => {
    choose(view)
    onClose()
  }
  const lineOf = (view: NamedView) => (
    <Line
      key={view.id}
      view={view}
      named={named}
      isOpen={opened === view.id}
      onToggle={() => setOpened(opened === view.id ? undefined : view.id)}
      onChoose={() => show(view)}
      onRename={() => setRenamed(view)}
    />
  )
  return (
    <>
      <div className={classes.lists}>
        <ul className={classes.list} aria-label="Your views">
          <li>
            <Choice isShown={shown === undefined} note="The table as you left it" onClick={() => show(undefined)}>
              Your last view
            </Choice>
          </li>
          {views.filter(({ isOwn }) => isOwn).map(lineOf)}
        </ul>
        {shared.length > 0 && (
          <>
            <p className={classes.heading}>Shared by colleagues</p>
            <ul className={classes.list} aria-label="Shared by colleagues">
              {shared.map(lineOf)}
            </ul>
          </>
        )}
      </div>
      <NameForm key={renamed?.id ?? ''} named={named} renamed={renamed} onDone={() => setRenamed(undefined)} />
    </>
  )
}

type ChoiceProps = { isShown: boolean; note: string; onClick(): void; children: ReactNode }

function Choice({ isShown, note, onClick, children }: ChoiceProps) {
  return (
    <UnstyledButton className={classes.choice} aria-current={isShown || undefined} onClick={onClick}>
      <IconCheck size={16} aria-hidden className={classes.check} />
      <span className={classes.texts}>
        <span>{children}</span>
        {note && <span className={classes.note}>{note}</span>}
      </span>
    </UnstyledButton>
  )
}

type LineProps = {
  view: NamedView
  named: NamedViews
  isOpen: boolean
  onToggle(): void
  onChoose(): void
  onRename(): void
}

/** One view. Its buttons are below it, as long as they are unfolded. */
function Line({ view, named, isOpen, onToggle, onChoose, onRename }: LineProps) {
  const queries = useQueryClient()
  const clipboard = useClipboard()
  const mayRemoveOthers = useCan('contacts.write')
  const { id, name, isOwn, isShared, owner } = view
  const isDefault = named.defaultView === id
  const { save: change } = useSave({
    send: (changes: Parameters<typeof saveViewChanges>[2], key) => saveViewChanges(named, id, changes, key),
    success: (saved: NamedView) =>
      saved.isShared === isShared
        ? `The view "${name}" shows the table as it is now.`
        : saved.isShared
          ? `Everybody on this account sees the view "${name}".`
          : `Only you see the view "${name}".`,
    onSaved: (saved, { view: isUpdate }) => {
      keepView(queries, named, id, saved)
      if (isUpdate) named.choose(saved)
    },
  })
  const { save: restore } = useSave({
    send: (_: undefined, key) => saveNewView(named, view, key),
    success: () => undefined,
    onSaved: (saved) => {
      keepView(queries, named, saved.id, saved)
      if (isDefault) named.makeDefault(saved.id)
    },
  })
  const { save: remove } = useSave({
    send: (_: undefined, key) => deleteView(named, id, key),
    success: `The view "${name}" has been deleted.`,
    notDone: 'The view is still there.',
    onSaved: () => {
      if (named.shown?.id === id) named.choose(undefined)
      if (isDefault) named.makeDefault(undefined)
      keepView(queries, named, id)
    },
    ...(isOwn && { undo: () => restore(undefined) }),
  })
  const askToRemove = async () => {
    if (isOwn || (await confirm(`Do you want to delete the view "${name}" of ${owner} for everybody?`, 'Delete view')))
      remove(undefined)
  }
  const note = [!isOwn && owner, isDefault && 'Default', isOwn && isShared && 'Shared'].filter(Boolean).join(' · ')
  return (
    <li>
      <div className={classes.line}>
        <Choice isShown={named.shown?.id === id} note={note} onClick={onChoose}>
          {name}
        </Choice>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Change or share: ${name}`}
          aria-expanded={isOpen}
          onClick={onToggle}
        >
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </div>
      {isOpen && (
        <Group gap="0.25rem" className={classes.acts} role="group" aria-label={name}>
          <Act onClick={() => named.makeDefault(isDefault ? undefined : id)}>
            {isDefault ? 'Remove as default' : 'Make default'}
          </Act>
          {isOwn && (
            <>
              {named.customerNumber && (
                <Act onClick={() => change({ isShared: !isShared })}>{isShared ? 'Stop sharing' : 'Share'}</Act>
              )}
              <Act onClick={onRename}>Rename</Act>
              <Act onClick={() => change({ view: named.current })}>Update</Act>
            </>
          )}
          <Act onClick={() => clipboard.copy(named.linkTo(view))}>{clipboard.copied ? 'Copied' : 'Copy link'}</Act>
          {(isOwn || mayRemoveOthers) && <Act onClick={() => void askToRemove()}>Delete</Act>}
        </Group>
      )}
    </li>
  )
}

function Act({ onClick, children }: { onClick(): void; children: ReactNode }) {
  return (
    <Button size="compact-xs" variant="default" onClick={onClick}>
      {children}
    </Button>
  )
}

type NameFormProps = { named: NamedViews; renamed: NamedView | undefined; onDone(): void }

/** Saves what is shown under a name, or renames a view. */
function NameForm({ named, renamed, onDone }: NameFormProps) {
  const queries = useQueryClient()
  const [name, setName] = useState(renamed?.name ?? '')
  const { save, isSaving, error, reset } = useSave({
    send: (typed: string, key) =>
      renamed
        ? saveViewChanges(named, renamed.id, { name: typed }, key)
        : saveNewView(named, { name: typed, view: named.current }, key),
    success: ({ name: saved }: NamedView) => `The view "${saved}" has been saved.`,
    onSaved: (saved) => {
      keepView(queries, named, saved.id, saved)
      if (!renamed) named.choose(saved)
      setName('')
      onDone()
    },
    onFailed: () => true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') save(name)
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        size="xs"
        label={renamed ? `New name of "${renamed.name}"` : 'Save this view as'}
        placeholder="Name"
        maxLength={MAX_VIEW_NAME}
        autoFocus={renamed !== undefined}
        value={name}
        error={error && failureText(error)}
        onChange={({ currentTarget: { value } }) => {
          setName(value)
          reset()
        }}
      />
      <Group gap="0.25rem" justify="flex-end">
        {renamed && (
          <Button size="xs" variant="default" onClick={onDone}>
            Cancel
          </Button>
        )}
        <Button size="xs" type="submit" loading={isSaving} disabled={name.trim() === ''}>
          {renamed ? 'Rename' : 'Save'}
        </Button>
      </Group>
    </form>
  )
}
