import { type Command, readArguments } from '#server/cli/command.ts'

/** Opening the installation migrates it; this says what that did. */
export const migrate: Command = {
  name: 'migrate',
  usage: '',
  summary: 'Bring the database to the newest version',
  async run(words, { installation, say }) {
    readArguments(words, [], {})
    for (const name of installation.migrated) say(`Migrated ${name}`)
    if (!installation.migrated.length) say('The database is up to date')
  },
}
