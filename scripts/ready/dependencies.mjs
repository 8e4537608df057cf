import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { run } from './run.mjs'

/** Written last: an install that broke off is done again. */
const STAMP = 'node_modules/.ready'
// NODE_ENV=production would leave out what builds the web application.
const OPTIONS = [
  '--include=dev',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
  // A stalled download is retried soon; npm itself would wait for five minutes.
  '--fetch-timeout=45000',
  '--fetch-retries=4',
]
const ATTEMPTS = 3

export function areDependenciesReady() {
  try {
    if (!existsSync(STAMP) && isInstalledByNpm()) writeFileSync(STAMP, wanted())
    return readFileSync(STAMP, 'utf8') === wanted()
  } catch {
    return false
  }
}

/** Whether somebody has run npm: at the end of an install it lists what is there. */
function isInstalledByNpm() {
  const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages
  const installed = packagesOf('node_modules/.package-lock.json')
  return Object.entries(packagesOf('package-lock.json')).every(
    ([name, { version, optional }]) => name === '' || (installed[name]?.version ?? (optional && version)) === version,
  )
}

function wanted() {
  const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  return `${lock} ${process.platform}-${process.arch}`
}

const FAULTS_OF_THE_NETWORK =
  /E(?:TIMEDOUT|IDLETIMEOUT|CONNRESET|CONNREFUSED|AI_AGAIN|PIPE)|ERR_SOCKET_TIMEOUT|E5\d\d|E429|EINTEGRITY|network/

export async function installDependencies() {
  console.log('Installing the dependencies ...')
  // Computed before the install: if the lockfile changes meanwhile, the next run installs again.
  const stamp = wanted()
  let result = await run('npm', ['ci', ...OPTIONS])
  for (let again = 1; again < ATTEMPTS && result.code !== 0 && FAULTS_OF_THE_NETWORK.test(result.complaints); again++) {
    console.log('The registry did not answer: installing once more ...')
    result = await run('npm', ['ci', ...OPTIONS])
  }
  if (result.code !== 0 && /EUSAGE|E404|ETARGET|from lock file/.test(result.complaints)) {
    // The registry lacks packages of other platforms. A plain install tolerates that and keeps the lockfile.
    console.log('The registry lacks packages that the lockfile names: installing what there is ...')
    result = await run('npm', ['install', '--no-save', ...OPTIONS])
  }
  if (result.code !== 0) throw new Error('the dependencies could not be installed')
  writeFileSync(STAMP, stamp)
}
