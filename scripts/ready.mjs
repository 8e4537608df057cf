// Makes a bare clone ready to run, and does nothing when nothing is missing. Plain JavaScript for any Node from version
// 20 on, with Node's own modules only: the project's dependencies may not be installed yet.
import { fileURLToPath } from 'node:url'
import { ensureBrowser, isBrowserReady } from './ready/browser.mjs'
import { areDependenciesReady, installDependencies } from './ready/dependencies.mjs'
import { whileLocked } from './ready/lock.mjs'
import { buildWeb, isWebReady } from './ready/web.mjs'

const JOBS = {
  dependencies: { isReady: areDependenciesReady, make: installDependencies },
  web: { isReady: isWebReady, make: buildWeb },
  browser: { isReady: isBrowserReady, make: ensureBrowser },
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

try {
  for (const name of ['dependencies', ...process.argv.slice(2)]) {
    const job = JOBS[name]
    if (!job) throw new Error(`there is no such thing to make ready: ${name}`)
    if (job.isReady()) continue
    // Another run may have done it while this one waited for the lock.
    await whileLocked(() => job.isReady() || job.make())
  }
} catch (error) {
  console.error(`Not ready: ${error.message}`)
  process.exitCode = 1
}
