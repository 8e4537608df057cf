import { type Command, readArguments, UsageError } from '#server/cli/command.ts'
import { loadDemo } from '#server/demo/load-demo.ts'

export const demo: Command = {
  name: 'demo',
  usage: '',
  summary: 'Load the parts of the demo data that are missing (not in production)',
  async run(words, { config, installation, now, say, progress }) {
    readArguments(words, [], {})
    if (config.environment === 'prod') throw new UsageError('demo is refused with PORTAL_ENV=prod')
    const loaded = await loadDemo(installation.db, { now, usageTransactions: config.demoUsage, progress })
    say(loaded.length ? `Loaded: ${loaded.join(', ')}` : 'The demo data is complete')
  },
}
