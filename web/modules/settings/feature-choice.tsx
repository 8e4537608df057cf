import { Button, Checkbox, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Feature } from '#contract/settings/features.ts'
import { conflictsAmong, SELECTION_CONFLICT } from '#domain/settings/feature-selection.ts'
import { SaveButton } from '#web/form/save-button.tsx'
import { useSave } from '#web/form/use-save.ts'
import { unsavedText } from '#web/lib/api/api-error.ts'
import { chooseFeatures, featuresQuery } from '#web/modules/settings/settings.api.ts'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './features.module.css'

type Props = { features: readonly Feature[]; onClose(): void }

/** Mounted each time the dialog opens, so the selection starts with what is enabled. */
export function FeatureChoice({ features, onClose }: Props) {
  const queries = useQueryClient()
  const enabled = features.filter((one) => one.enabled).map((one) => one.name)
  const defaults = features.filter((one) => one.isDefault).map((one) => one.name)
  const [selected, setSelected] = useState<ReadonlySet<string>>(() => new Set(enabled))
  const isChanged = !isSameSet(selected, enabled)
  const conflicts = conflictsAmong(features, selected)
  const { save, isSaving, error } = useSave({
    send: chooseFeatures,
    success: 'The feature flags have been changed.',
    onSaved: (chosen) => {
      // Routes and menu depend on this query, so they change at once, without a reload.
      queries.setQueryData(featuresQuery.queryKey, chosen)
      onClose()
    },
    onFailed: () => true,
  })
  const toggle = (name: string, isChosen: boolean) =>
    setSelected((now) => new Set(isChosen ? [...now, name] : [...now].filter((one) => one !== name)))
  return (
    <>
      <ul className={classes.list}>
        {features.map(({ name, description }) => (
          <li key={name} className={classes.feature}>
            <Checkbox
              label={name}
              description={description}
              checked={selected.has(name)}
              error={conflictText(name, conflicts)}
              onChange={(event) => toggle(name, event.currentTarget.checked)}
            />
          </li>
        ))}
      </ul>
      <div className={classes.foot}>
        {conflicts.length > 0 && (
          <SignalStrip signal="red" role="alert">
            {SELECTION_CONFLICT}
          </SignalStrip>
        )}
        {error && (
          <SignalStrip signal="red" role="alert">
            {unsavedText(error)}
          </SignalStrip>
        )}
        <Group justify="space-between">
          <Group gap="xs">
            <Button variant="default" disabled={selected.size === 0} onClick={() => setSelected(new Set())}>
              Clear
            </Button>
            <Button
              variant="default"
              disabled={isSameSet(selected, defaults)}
              onClick={() => setSelected(new Set(defaults))}
            >
              Defaults
            </Button>
          </Group>
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <SaveButton
              isSaving={isSaving}
              reason={conflicts.length > 0 ? SELECTION_CONFLICT : isChanged ? undefined : 'Nothing has changed.'}
              onClick={() => save([...selected])}
            >
              Apply
            </SaveButton>
          </Group>
        </Group>
      </div>
    </>
  )
}

function isSameSet(one: ReadonlySet<string>, other: readonly string[]): boolean {
  return one.size === other.length && other.every((name) => one.has(name))
}

function conflictText(name: string, conflicts: readonly [string, string][]): string | undefined {
  const others = conflicts.filter((pair) => pair.includes(name)).map(([one, other]) => (one === name ? other : one))
  return others.length > 0 ? `In conflict with ${others.join(', ')}` : undefined
}
