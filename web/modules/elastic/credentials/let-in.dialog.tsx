import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toIpRules } from '#contract/elastic/credentials/credentials.ts'
import {
  ipRuleErrors,
  ipRuleNotes,
  isAddressAllowed,
  MAX_RULE_NAME_LENGTH,
} from '#domain/elastic/credentials/ip-rules.ts'
import { readUsernames, usernameKey } from '#domain/elastic/credentials/usernames.ts'
import { randomKey, useSave } from '#web/form/use-save.ts'
import { failureText, hasCode } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import {
  ipRulesQuery,
  type LoadedIpRules,
  type LoadedUsers,
  type ServerKey,
  saveIpRules,
  saveUsernames,
  usernamesQuery,
} from '#web/modules/elastic/credentials/credentials.api.ts'
import { elasticDeviceQuery } from '#web/modules/elastic/usage/usage.api.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './credentials.module.css'

type Props = { server: ServerKey; subject: string; onClose(): void }
type LetInProps = Omit<Props, 'server'> & { what: 'address' | 'username'; server?: string }

/** Lets somebody use an elastic license server, which is that of the account if none is named. */
export function LetInDialog({ what, server, ...props }: LetInProps) {
  const { number } = useKnownCustomer()
  const { data, error, refetch } = useQuery({ ...elasticDeviceQuery(number), enabled: server === undefined })
  const clsId = server ?? data?.deviceId
  const Asking = what === 'address' ? AllowAddressDialog : AddUsernameDialog
  if (clsId !== undefined) return <Asking server={{ customerNumber: number, clsId }} {...props} />
  return (
    <Dialog title="Elastic license server" onClose={props.onClose}>
      {error ? <FailureNotice failure={error} onRetry={refetch} /> : <Spinner />}
    </Dialog>
  )
}

/** Adds a rule for an address that was denied. */
function AllowAddressDialog({ server, subject, onClose }: Props) {
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(ipRulesQuery(server))
  const [rule, setRule] = useState({ name: `Allowed: ${subject}`, address: subject })
  const saving = useSave({
    send: (loaded: LoadedIpRules, key) =>
      saveIpRules(
        server,
        [...loaded.whitelist, { rulename: rule.name, ipaddress: rule.address }],
        loaded.revision,
        key,
      ),
    success: `Sessions can be started from ${rule.address}.`,
    onSaved: (saved) => {
      queries.setQueryData(ipRulesQuery(server).queryKey, saved)
      onClose()
      void reloadDenied(queries)
    },
    undo: ({ revision }, { whitelist }) =>
      void takeBack(queries, async () => {
        const before = await saveIpRules(server, whitelist, revision, randomKey())
        queries.setQueryData(ipRulesQuery(server).queryKey, before)
      }),
    onFailed: (failure) => {
      // Somebody has changed the list: the next attempt adds to what is stored now.
      if (hasCode(failure, 'STALE')) void refetch()
      return true
    },
  })
  const rules = data ? toIpRules(data.whitelist) : []
  const wrong = ipRuleErrors([rule])[0] ?? {}
  const note = ipRuleNotes([...rules, rule]).at(-1)
  return (
    <Question
      title="Allow address"
      act="Allow address"
      loaded={data}
      loadFailure={error}
      onRetry={() => void refetch()}
      saving={saving}
      reason={wrong.name ?? wrong.address}
      settled={data && isAddressAllowed(rules, subject) ? `${subject} is allowed already.` : undefined}
      onClose={onClose}
    >
      <Text>
        A rule is added to the IP rules of the elastic license server{' '}
        <strong className={classes.id}>{server.clsId}</strong>. Addresses without a rule stay blocked.
      </Text>
      <TextInput
        label="Rule Name"
        value={rule.name}
        error={wrong.name}
        maxLength={MAX_RULE_NAME_LENGTH}
        onChange={({ currentTarget: { value } }) => setRule({ ...rule, name: value })}
      />
      <TextInput
        label="IP Address"
        description={note}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={rule.address}
        error={wrong.address}
        maxLength={100}
        spellCheck={false}
        classNames={{ input: classes.address }}
        onChange={({ currentTarget: { value } }) => setRule({ ...rule, address: value })}
      />
    </Question>
  )
}

/** Adds a username that was denied to the allowed ones. */
function AddUsernameDialog({ server, subject, onClose }: Props) {
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(usernamesQuery(server))
  const saving = useSave({
    send: (loaded: LoadedUsers, key) => saveUsernames(server, [...loaded.users, subject], loaded.revision, key),
    success: `${subject} can start sessions.`,
    onSaved: (saved) => {
      queries.setQueryData(usernamesQuery(server).queryKey, saved)
      onClose()
      void reloadDenied(queries)
    },
    undo: ({ revision }, { users }) =>
      void takeBack(queries, async () => {
        const before = await saveUsernames(server, users, revision, randomKey())
        queries.setQueryData(usernamesQuery(server).queryKey, before)
      }),
    onFailed: (failure) => {
      // Somebody has changed the list: the next attempt adds to what is stored now.
      if (hasCode(failure, 'STALE')) void refetch()
      return true
    },
  })
  const users = data?.users ?? []
  const read = readUsernames([...users, subject])
  const isAllowed = data && (users.length === 0 || users.some((one) => usernameKey(one) === usernameKey(subject)))
  return (
    <Question
      title="Add username"
      act="Add username"
      loaded={data}
      loadFailure={error}
      onRetry={() => void refetch()}
      saving={saving}
      reason={'error' in read ? read.error : undefined}
      settled={isAllowed ? `${subject} is allowed already.` : undefined}
      onClose={onClose}
    >
      <Text>
        <strong>{subject}</strong> is added to the usernames that may use the elastic license server{' '}
        <strong className={classes.id}>{server.clsId}</strong>.
      </Text>
    </Question>
  )
}

type QuestionProps<Loaded> = {
  title: string
  act: string
  loaded: Loaded | undefined
  loadFailure: Error | null
  onRetry(): void
  saving: { save(loaded: Loaded): void; isSaving: boolean; error: Error | null }
  /** Why it cannot be saved. */
  reason: string | undefined
  /** Nothing is left to do. */
  settled: string | undefined
  onClose(): void
  children: React.ReactNode
}

function Question<Loaded>({ loaded, saving, reason, settled, onClose, ...props }: QuestionProps<Loaded>) {
  return (
    <Dialog onClose={onClose} title={props.title}>
      {props.loadFailure ? (
        <FailureNotice failure={props.loadFailure} onRetry={props.onRetry} />
      ) : loaded === undefined ? (
        <Spinner />
      ) : settled ? (
        <Text>{settled}</Text>
      ) : (
        <Stack gap="0.75rem">
          {props.children}
          {saving.error && (
            <SignalStrip signal="red" role="alert">
              {failureText(saving.error)}
            </SignalStrip>
          )}
        </Stack>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        {settled ? (
          // The button that had the focus is gone.
          <Button variant="default" ref={focus} data-autofocus onClick={onClose}>
            Close
          </Button>
        ) : (
          <>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <ReasonTooltip reason={loaded === undefined ? 'The list is still loading.' : reason}>
              <Button
                data-autofocus
                loading={saving.isSaving}
                onClick={() => loaded !== undefined && saving.save(loaded)}
              >
                {props.act}
              </Button>
            </ReasonTooltip>
          </>
        )}
      </Group>
    </Dialog>
  )
}

const focus = (button: HTMLButtonElement | null) => button?.focus()

async function takeBack(queries: QueryClient, save: () => Promise<void>): Promise<void> {
  try {
    await save()
    showPanel('success', 'The change was taken back.')
  } catch (error) {
    showPanel('error', failureText(error as Error))
  }
  await reloadDenied(queries)
}

/** Home tells who is denied. */
const reloadDenied = (queries: QueryClient) => queries.invalidateQueries({ queryKey: ['home'] })
