import { CompiledQuery } from 'kysely'
import { SETUP_TEXTS, setupStateOf, setupSteps } from '#domain/setup/setup-steps.ts'
import { isLate } from '#domain/upkeep/schedule.ts'
import { listChains } from '#server/audit/chain.queries.ts'
import { findRemovableEnd, findRetention, listChainsToShorten } from '#server/audit/retention.queries.ts'
import { verifyAudit } from '#server/audit/verify-audit.ts'
import { listRanMigrations } from '#server/backup/schema.queries.ts'
import { BUILD_INFO } from '#server/build-info.ts'
import { readMigrations } from '#server/db/migrate.ts'
import { listMissingRights } from '#server/db/portal-rights.ts'
import { listWrappings } from '#server/db/secrets.queries.ts'
import { measureDisk } from '#server/doctor/disks.ts'
import {
  findCurrentRole,
  findJobState,
  findOutboxState,
  findRolePower,
  findServer,
  findStorage,
  hasRelation,
  listContractDrift,
  listPinServers,
  listSeatDrift,
} from '#server/doctor/doctor.queries.ts'
import { type Check, failed, ok, plural, some, warning } from '#server/doctor/finding.ts'
import { EMBEDDED_RELEASE } from '#server/embedded/binaries.ts'
import { PORTAL_ROLE } from '#server/embedded/cluster.ts'
import { clusterHome } from '#server/embedded/location.ts'
import { listServiceKeys } from '#server/identity/service-keys.queries.ts'
import { listKeys, loadSigner } from '#server/modules/activations/activations.public.ts'
import {
  listMeteredAccounts,
  listUsageDrift,
  listUsageMonths,
  opensPin,
} from '#server/modules/elastic/elastic.public.ts'
import { loadInstalled } from '#server/modules/setup/setup.public.ts'
import { findLastSuccess, listRuns } from '#server/recovery/recovery-runs.queries.ts'
import { nodes } from '#server/scale-out/nodes-check.ts'
import { isSharded, listNodes } from '#server/scale-out/shard.queries.ts'

const OLDEST_SERVER = 15
/** PostgreSQL publishes corrections every three months. */
const MAX_EMBEDDED_DAYS = 180
const DAY = 24 * 60 * 60 * 1000
const MEGABYTE = 1024 * 1024
/** How many accounts and PINs are checked, unless all are requested. */
const SAMPLE = 20

const server: Check = {
  name: 'database',
  async run({ tx, config, now }) {
    const { version, major } = await findServer(tx)
    const where = config.databaseUrl === undefined ? `embedded in ${config.dataDir}` : 'at DATABASE_URL'
    if (major < OLDEST_SERVER)
      return failed(`PostgreSQL ${version} is too old`, `Move to PostgreSQL ${OLDEST_SERVER} or later`)
    if (config.databaseUrl === undefined && daysBetween(EMBEDDED_RELEASE.on, now) > MAX_EMBEDDED_DAYS)
      return warning(
        `PostgreSQL ${version}, ${where}, is ${plural(daysBetween(EMBEDDED_RELEASE.on, now), 'day')} old`,
        'Later versions mend faults: install a newer portal, or set DATABASE_URL to a PostgreSQL that you update',
      )
    return ok(`PostgreSQL ${version}, ${where}`)
  },
}

export const migrations: Check = {
  name: 'migrations',
  async run({ tx }) {
    const ran = new Map((await listRanMigrations(tx))?.map(({ name, sha256 }) => [name, sha256]))
    const known = readMigrations()
    const pending = known.filter(({ name }) => !ran.has(name))
    if (pending.length > 0) return failed(`${plural(pending.length, 'migration')} missing`, 'Run "migrate"')
    const changed = known.filter(({ name, sha256 }) => ran.get(name) !== sha256)
    if (changed.length > 0)
      return failed(`${changed[0]?.name} is not the one that ran here`, 'Install the files of the release again')
    const newer = [...ran.keys()].filter((name) => !known.some((one) => one.name === name))
    if (newer.length > 0)
      return failed(`a newer portal migrated this database (${newer[0]})`, 'Install that version or a later one')
    return ok(`${known.length} have run`)
  },
}

const clock: Check = {
  name: 'clock',
  async run({ tx, now }) {
    const seconds = Math.round(Math.abs((await findServer(tx)).now.getTime() - now.getTime()) / 1000)
    const text = `the clocks of the database and of this machine are ${plural(seconds, 'second')} apart`
    const advice = 'Let both follow a time server (NTP)'
    if (seconds > 60) return failed(text, advice)
    return seconds > 5 ? warning(text, advice) : ok(text)
  },
}

export const disk: Check = {
  name: 'disk',
  async run({ tx, config }) {
    if (await isSharded(tx)) return fullestNode(await listNodes(tx), config.exports.minFreeBytes)
    const { bytes, directory } = await findStorage(tx)
    const home = config.databaseUrl === undefined ? clusterHome(config.dataDir) : directory
    const size = `the database has ${Math.ceil(bytes / MEGABYTE)} MB`
    const found = measureDisk(home)
    if (!found) return ok(`${size}, on the disk of its own machine: watch that one`)
    return diskFinding(found.free, found.directory, config.exports.minFreeBytes)
  },
}

/** Nodes that do not answer are another check's. */
function fullestNode(nodes: Awaited<ReturnType<typeof listNodes>>, wanted: number) {
  const disks = nodes.flatMap(({ node, figures: { disk_free_bytes: free } }) =>
    free === undefined ? [] : [{ node, free }],
  )
  const fullest = disks.reduce((least, one) => (one.free < least.free ? one : least))
  return diskFinding(fullest.free, `the data directory of ${fullest.node}`, wanted)
}

export function diskFinding(free: number, directory: string, wanted: number) {
  const text = `${Math.floor(free / MEGABYTE)} MB free in ${directory}`
  if (free < 100 * MEGABYTE) return failed(text, 'Make room now: a full disk stops the database')
  if (free < Math.max(wanted, 512 * MEGABYTE))
    return warning(text, 'Make room: exports are refused, the database is next')
  return ok(text)
}

const rights: Check = {
  name: 'rights',
  async run({ tx, config: { databaseUrl } }) {
    const named = databaseUrl === undefined ? PORTAL_ROLE : decodeURIComponent(new URL(databaseUrl).username)
    const role = named || (await findCurrentRole(tx))
    const power = await findRolePower(tx, role)
    if (power === undefined) return failed(`the role ${role} does not exist`, 'Create it, then run "migrate"')
    if (power.superuser || power.owns)
      return warning(
        `the portal's role ${role} ${power.superuser ? 'is a superuser' : 'owns the tables'}: it could change the audit log`,
        'Make a role that owns nothing, and set DATABASE_OWNER_URL (docs/operations.md, "Two roles")',
      )
    const missing = await listMissingRights(
      { query: async (text, values) => ({ rows: (await tx.executeQuery(CompiledQuery.raw(text, values))).rows }) },
      role,
    )
    if (missing.length > 0)
      return failed(
        `the rights of the role ${role} are not those of this version: ${some(missing)}`,
        'Run "migrate" with DATABASE_OWNER_URL',
      )
    return ok(`the portal's role ${role} owns nothing`)
  },
}

const partitions: Check = {
  name: 'partitions',
  async run({ tx, now }) {
    const present = new Set(await listUsageMonths(tx))
    const month = (offset: number) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString().slice(0, 7)
    const advice = 'Start the portal: it makes them at start and every night'
    const missing = [0, 1].map(month).filter((one) => !present.has(one))
    if (missing.includes(month(0))) return failed(`usage of ${month(0)} has no partition, so it is refused`, advice)
    if (missing.length > 0) return warning(`usage of ${missing[0]} has no partition yet`, advice)
    return ok(`${plural(present.size, 'month')} of usage, up to ${[...present].at(-1)}`)
  },
}

const usageSums: Check = {
  name: 'usage sums',
  async run({ tx, isFull }) {
    const all = await listMeteredAccounts(tx)
    const accounts = isFull ? all : all.slice(0, SAMPLE)
    const drifted: string[] = []
    for (const account of accounts) if ((await listUsageDrift(tx, account)).length > 0) drifted.push(account)
    const [first] = drifted
    if (first !== undefined)
      return failed(`the sums of ${some(drifted)} differ from the transactions`, `Run "usage rebuild ${first}"`)
    const sample = accounts.length < all.length ? ` of ${all.length} (--full looks at all)` : ''
    return ok(`${plural(accounts.length, 'account')}${sample}: the sums are those of the transactions`)
  },
}

const seats: Check = {
  name: 'seats',
  async run({ tx }) {
    const drifted = await listSeatDrift(tx)
    if (drifted.length > 0)
      return failed(
        `activated seats of ${some(drifted)} differ from the fulfillments`,
        'Somebody changed the database by hand: restore a backup, or correct the rows',
      )
    return ok('activated seats are the sum of the fulfillments')
  },
}

const contracts: Check = {
  name: 'FSA contracts',
  async run({ tx }) {
    const drifted = await listContractDrift(tx)
    if (drifted.length > 0)
      return failed(
        `the ordered amount of ${some(drifted)} differs from the orders`,
        'Somebody changed the database by hand: restore a backup, or correct the rows',
      )
    return ok('ordered amounts are the sum of the orders')
  },
}

const auditLog: Check = {
  name: 'audit log',
  async run({ tx, secrets, isFull }) {
    const all = await listChains(tx)
    const chains = isFull ? all : all.slice(0, SAMPLE)
    let rows = 0
    for await (const chain of verifyAudit(tx, secrets, isFull ? undefined : chains)) {
      const [first] = chain.findings
      if (first !== undefined)
        return failed(
          `the audit log is not as it was written: ${first}`,
          'Run "audit verify", and compare with a backup',
        )
      rows += chain.rows
    }
    const sample = chains.length < all.length ? ` of ${all.length} (--full looks at all)` : ''
    return ok(
      `${plural(chains.length, 'chain')}${sample} with ${plural(rows, 'row')}: nothing was changed, removed or inserted`,
    )
  },
}

const auditRetention: Check = {
  name: 'audit retention',
  async run({ tx, now, config: { auditRetentionDays: days } }) {
    if (days === undefined) return ok('the audit log keeps everything')
    const kept = await findRetention(tx)
    if (kept !== days)
      return warning(
        `AUDIT_RETENTION_DAYS is ${days}, and the owner of the tables has decided ${kept ?? 'to keep everything'}`,
        'Run "migrate" with DATABASE_OWNER_URL and AUDIT_RETENTION_DAYS',
      )
    // A day of grace: old entries are removed every night.
    const before = new Date(now.getTime() - (days + 1) * DAY)
    for (const customerNumber of await listChainsToShorten(tx, before))
      if ((await findRemovableEnd(tx, customerNumber, before)) !== undefined)
        return warning(
          `the audit log has entries older than ${plural(days, 'day')}`,
          'Is the portal running? It removes them every night, or "audit remove-old" now',
        )
    return ok(`the audit log keeps ${plural(days, 'day')}`)
  },
}

const outbox: Check = {
  name: 'outbox',
  async run({ tx, now }) {
    const state = await findOutboxState(tx, now)
    if (state.late > 0)
      return failed(`${plural(state.late, 'message')} waiting for more than 15 minutes`, 'Is the portal running?')
    if (state.failed > 0)
      return warning(
        `${plural(state.failed, 'message')} could not be delivered`,
        'The API (/api/docs, outbox) lists, resends and deletes them',
      )
    return ok('no message is late or has failed')
  },
}

const jobs: Check = {
  name: 'jobs',
  async run({ tx, now }) {
    if (!(await hasRelation(tx, 'jobs.job'))) return warning('the job queue is not there yet', 'Start the portal')
    const state = await findJobState(tx, now)
    if (state.late.length > 0)
      return failed(`nobody works on ${some(state.late)} since an hour or more`, 'Is the portal running?')
    if (state.failed.length > 0)
      return warning(`${some(state.failed)} gave up within a day`, 'The log of the portal has the reason')
    return ok('no job is late or has failed within a day')
  },
}

const setup: Check = {
  name: 'setup',
  async run({ tx, config }) {
    const state = setupStateOf(await loadInstalled(tx, config))
    const [step] = setupSteps(state, BUILD_INFO)
    if (!step) return ok('there are accounts, and somebody is in charge')
    return warning(SETUP_TEXTS[state], `${step.title}: ${step.commands[0]}`)
  },
}

const signing: Check = {
  name: 'license signing',
  async run({ tx, secrets, now }) {
    const [current] = await listKeys(tx)
    if (!current)
      return warning('there is no signing key yet', 'Run "license keys create", or wait for the first license')
    try {
      return ok(`files are signed with ${(await loadSigner(tx, secrets, now)).keyId}`)
    } catch (error) {
      return failed((error as Error).message, 'Restore a backup that has both, or run "license keys rotate"')
    }
  },
}

const pins: Check = {
  name: 'PINs',
  async run({ tx, secrets, isFull }) {
    const servers = await listPinServers(tx, isFull ? 1_000_000 : SAMPLE)
    for (const one of servers)
      if (!(await opensPin(tx, secrets, one)))
        return failed(
          `the PIN of ${one.deviceId} does not open with the secret of this installation`,
          'Restore a backup that has both, or set new PINs',
        )
    return ok(`${plural(servers.length, 'PIN')} can be read`)
  },
}

const installationKey: Check = {
  name: 'installation key',
  async run({ tx, config: { environment, installationKeys } }) {
    const [current] = installationKeys
    const found = await listWrappings(tx)
    const missing = found.find(({ keyId }) => keyId !== null && installationKeys.every(({ id }) => id !== keyId))
    if (missing)
      return failed(
        `the secrets are wrapped with the key ${missing.keyId}, which is not there`,
        'Set INSTALLATION_KEY_FILE to the file that has it: without it the portal does not start',
      )
    const plain = found.filter(({ keyId }) => keyId === null).length
    if (plain > 0 && (environment === 'prod' || plain < found.length))
      return warning(
        `${plural(plain, 'secret')} in the database, and so in every backup, without a key from outside`,
        'Set INSTALLATION_KEY_FILE and run "installation-key wrap" (docs/operations.md)',
      )
    if (found.some(({ keyId }) => keyId !== null && keyId !== current?.id))
      return warning('secrets are wrapped with an earlier key', 'Run "installation-key rotate"')
    return ok(
      plain > 0 || !current ? 'secrets are stored without a key' : `secrets are wrapped with the key ${current.id}`,
    )
  },
}

const serviceKeys: Check = {
  name: 'service keys',
  async run({ tx, now }) {
    const inUse = (await listServiceKeys(tx)).filter(({ revoked_at }) => !revoked_at)
    const before = (days: number) => inUse.filter(({ expires_at }) => expires_at.getTime() < now.getTime() + days * DAY)
    const advice = 'Create a new key, change the system over, then revoke the old one'
    const expired = before(0).map(({ name }) => name)
    const soon = before(30).flatMap(({ name }) => (expired.includes(name) ? [] : [name]))
    const texts = [
      ...(expired.length > 0 ? [`expired: ${some(expired)}`] : []),
      ...(soon.length > 0 ? [`expiring within 30 days: ${some(soon)}`] : []),
    ]
    return texts.length > 0 ? warning(texts.join('; '), advice) : ok(`${plural(inUse.length, 'key')} in use`)
  },
}

const backups: Check = {
  name: 'backups',
  async run({ tx, now, config }) {
    const last = await findLastSuccess(tx, 'backup')
    const advice = config.backup.at
      ? 'The operations screen has the reason'
      : 'Run "backup" every night, or set BACKUP_AT'
    if (!last) return warning('no backup is known', advice)
    const text = `the last backup is ${plural(daysBetween(last.begun_at, now), 'day')} old`
    return isLate('backup', config.backup.at, { lastSuccess: last.begun_at, now }) ? warning(text, advice) : ok(text)
  },
}

const drills: Check = {
  name: 'drills',
  async run({ tx, now, config }) {
    const [last] = await listRuns(tx, 'drill', 1)
    const success = await findLastSuccess(tx, 'drill')
    const advice = config.backup.drillAt
      ? 'The operations screen has the reason'
      : 'Run "drill" every week, or set DRILL_AT'
    if (last?.state === 'failed')
      return warning(`the last drill failed: ${last.failure}`, 'Make a backup and run "drill"')
    if (!success) return warning('no backup was ever tried', advice)
    const text = `the last drill was ${plural(daysBetween(success.begun_at, now), 'day')} ago`
    return isLate('drill', config.backup.drillAt, { lastSuccess: success.begun_at, now })
      ? warning(text, advice)
      : ok(text)
  },
}

const daysBetween = (from: Date, to: Date) => Math.floor((to.getTime() - from.getTime()) / DAY)

/** Checks that need nothing but a connection. */
export const FIRST_CHECKS: readonly Check[] = [server, clock, disk]
/** Checks of what was stored, wherever it was restored. */
export const DATA_CHECKS: readonly Check[] = [usageSums, seats, contracts, auditLog, signing, pins]
/** Checks that need the tables of this version. */
export const CHECKS: readonly Check[] = [
  nodes,
  rights,
  partitions,
  usageSums,
  seats,
  contracts,
  auditLog,
  auditRetention,
  outbox,
  jobs,
  setup,
  signing,
  pins,
  installationKey,
  serviceKeys,
  backups,
  drills,
]
