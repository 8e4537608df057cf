import { writeAudit } from '#server/audit/audit.queries.ts'
import { type Command, type Context, readArguments, UsageError } from '#server/cli/command.ts'
import type { InstallationKey } from '#server/db/installation-key.ts'
import { listWrappings } from '#server/db/secrets.queries.ts'

export const keyWrap: Command = {
  name: 'installation-key wrap',
  usage: '',
  summary: 'Encrypt the secrets of this installation with the key of INSTALLATION_KEY_FILE',
  role: 'owner',
  async run(words, context) {
    readArguments(words, [], {})
    const key = keyOf(context)
    const other = (await listWrappings(context.installation.db)).find(({ keyId }) => keyId !== null && keyId !== key.id)
    if (other)
      throw new Error(`The secrets are wrapped with the key ${other.keyId} already: run "installation-key rotate"`)
    // Later secrets are stored as those that are there: a new installation gets its first one now.
    await context.secrets.load(context.installation.db, 'list tokens')
    await change(context, 'wrap', key)
  },
}

export const keyRotate: Command = {
  name: 'installation-key rotate',
  usage: '',
  summary:
    'Encrypt them with the first key of INSTALLATION_KEY_FILE instead of an earlier one, which is on a later line',
  role: 'owner',
  async run(words, context) {
    readArguments(words, [], {})
    const key = keyOf(context)
    if ((await listWrappings(context.installation.db)).every(({ keyId }) => keyId === null))
      throw new Error('No secret is wrapped yet: run "installation-key wrap"')
    await change(context, 'rotate', key)
  },
}

export const keyUnwrap: Command = {
  name: 'installation-key unwrap',
  usage: '',
  summary: 'Store the secrets of this installation without a key again',
  role: 'owner',
  async run(words, context) {
    readArguments(words, [], {})
    await change(context, 'unwrap', undefined)
  },
}

function keyOf({ config: { installationKeys } }: Context): InstallationKey {
  const [key] = installationKeys
  if (!key) throw new UsageError('INSTALLATION_KEY_FILE is not set')
  return key
}

/** All secrets in one transaction: an interrupted run has changed nothing, and can be run again. */
async function change(
  { installation: { db }, secrets, audit, say }: Context,
  what: 'wrap' | 'rotate' | 'unwrap',
  key: InstallationKey | undefined,
): Promise<void> {
  const changed = await db.transaction().execute(async (tx) => {
    const names = await secrets.wrapAll(tx, key)
    if (names.length > 0)
      await writeAudit(tx, audit, {
        action: `installation-key.${what}`,
        after: { secrets: names, key: key?.id ?? null },
      })
    return names
  })
  const state = key ? `wrapped with the key ${key.id}` : 'stored without a key'
  if (changed.length === 0) return say(`All secrets are ${state} already`)
  say(`${changed.length} ${changed.length === 1 ? 'secret is' : 'secrets are'} ${state} now`)
  if (!key) return
  say('Keep the key apart from the backups: without it, nobody can open PINs or sign licenses.')
  say('Backups from before do not need this key: make a new backup, then delete them (docs/operations.md).')
}
