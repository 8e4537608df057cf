import { Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { linesOf, readUsernames } from '#domain/elastic/credentials/usernames.ts'
import type { Fields } from '#web/form/fields.ts'
import { Form } from '#web/form/form.tsx'
import { FormFooter } from '#web/form/form-footer.tsx'
import { useForm } from '#web/form/use-form.ts'
import { useCan } from '#web/lib/customer.tsx'
import { type LoadedUsers, saveUsernames, usernamesQuery } from '#web/modules/elastic/credentials/credentials.api.ts'
import type { ElasticServer } from '#web/modules/elastic/credentials/elastic-server.tsx'
import { RestrictionState } from '#web/modules/elastic/credentials/restriction-state.tsx'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import classes from './credentials.module.css'

type Values = { users: string }

const FIELDS: Fields<Values> = {
  users: { label: 'Allowed Usernames', text: (text) => linesOf(text).join('\n') || 'All users' },
}

const READ_ONLY =
  'You can see the usernames, but not change them. Only Administrators and Support Coordinators of this account can.'
const HINT = 'One per line. Usernames are case insensitive and have no spaces or non-ASCII characters.'

export function UsernamesForm({ server, loaded }: { server: ElasticServer; loaded: LoadedUsers }) {
  const queries = useQueryClient()
  const form = useForm({
    loaded,
    valuesOf: ({ users }): Values => ({ users: users.join('\n') }),
    fields: FIELDS,
    validate: ({ users }) => ({ users: errorIn(users) }),
    confirm: ({ users }) =>
      confirm(<Question server={server} isOpen={linesOf(users).length === 0} />, 'Save usernames'),
    save: ({ users }, before, key) => saveUsernames(server.key, linesOf(users), before.revision, key),
    success: 'The allowed usernames have been saved.',
    onSaved: (saved) => queries.setQueryData(usernamesQuery(server.key).queryKey, saved),
    readOnly: useCan('credentials.write') ? undefined : READ_ONLY,
    draftName: `usernames:${server.id}`,
  })
  const { users } = form.values
  const isOpen = linesOf(users).length === 0
  return (
    <Form form={form}>
      <RestrictionState isOpen={isOpen}>
        {isOpen ? 'Allowing all users with current PIN' : 'Blocking all other users'}
      </RestrictionState>
      <Textarea
        {...form.field('users')}
        label="Allowed Usernames"
        description={HINT}
        autosize
        minRows={4}
        maxRows={16}
        spellCheck={false}
        autoCapitalize="off"
        classNames={{ input: classes.usernames }}
      />
      <FormFooter summary={summaryOf(users)} />
    </Form>
  )
}

function errorIn(text: string): string | undefined {
  const read = readUsernames(linesOf(text))
  if (!('error' in read)) return undefined
  return read.lines.length === 0 ? read.error : `${read.error} Check ${namesOf(read.lines)}.`
}

/** Names that occur twice are saved once. */
function summaryOf(text: string): string | undefined {
  const read = readUsernames(linesOf(text))
  if ('error' in read || read.repeated.length === 0) return undefined
  return `Duplicate, saved only once: ${namesOf(read.repeated)}`
}

const MAX_NAMED = 10

function namesOf(lines: readonly number[]): string {
  const named = lines.slice(0, MAX_NAMED).join(', ')
  return `${lines.length === 1 ? 'line' : 'lines'} ${named}${lines.length > MAX_NAMED ? ' …' : ''}`
}

function Question({ server, isOpen }: { server: ElasticServer; isOpen: boolean }) {
  return (
    <>
      Do you want to save the allowed usernames of the elastic license server{' '}
      <strong className={classes.id}>{server.id}</strong>?{' '}
      {isOpen
        ? 'After that, all users who know the PIN can start sessions.'
        : 'After that, no other users can start sessions. Running sessions continue.'}
    </>
  )
}
