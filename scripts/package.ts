import path from 'node:path'
import { parseArgs } from 'node:util'
import { makeArchive } from './package/archive.ts'
import { stage } from './package/stage.ts'

const USAGE = `Usage: npm run package                                           the archive, in dist/package
       npm run package -- stage DIRECTORY [--without-database]  only the portal, as the Dockerfile needs it`

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'without-database': { type: 'boolean', default: false } },
  })
  const [what, directory] = positionals
  if (what === undefined) console.log(`Made ${makeArchive(path.resolve('dist/package'))}`)
  else if (what === 'stage' && directory !== undefined)
    stage(path.resolve(directory), { withDatabase: !values['without-database'] })
  else throw new Error(USAGE)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
