import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const read = (file: string) => fs.readFileSync(`deploy/${file}`, 'utf8')
const hasHelm = spawnSync('helm', ['version']).status === 0
const hasPromtool = spawnSync('promtool', ['--version']).status === 0

/** Names of metrics as docs/metrics.md lists them; `_total` names that share a cell begin with what the first one begins with. */
function documentedMetrics(): Set<string> {
  const names = new Set<string>()
  for (const [, cell = ''] of fs.readFileSync('docs/metrics.md', 'utf8').matchAll(/^\| (`.+?`) +\|/gm)) {
    const [first = '', ...rest] = [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name)
    names.add(first)
    for (const ending of rest) names.add(first.replace(/_[a-z]+_total$/, ending))
  }
  return names
}

test.each(['grafana/portal.json', 'prometheus/alerts.yml'])('%s asks only for metrics that the portal has', (file) => {
  const known = documentedMetrics()
  const asked = new Set(
    [...read(file).matchAll(/\b((?:portal|process)_[a-z_]+)\{/g)].map(([, name = '']) =>
      name.replace(/_(bucket|count)$/, ''),
    ),
  )
  expect(asked.size).toBeGreaterThan(5)
  expect([...asked].filter((name) => !known.has(name))).toEqual([])
})

test.runIf(hasPromtool)('promtool accepts the alert rules (needs promtool)', () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', 'deploy/prometheus/alerts.yml'])
  expect(status, `${stdout}${stderr}`).toBe(0)
})

test('the realm of Keycloak gives every group that the portal maps to a role', () => {
  const realm = JSON.parse(read('compose/realm.json'))
  const mapped = /OIDC_ROLE_MAP: (.+)/
    .exec(read('compose.yaml'))?.[1]
    ?.split(',')
    .map((pair) => pair.split('=')[0])
  expect(realm.groups.map(({ name }: { name: string }) => name)).toEqual(mapped)
})

test('every secret of the compose file is made by the script', () => {
  const wanted = [...read('compose.yaml').matchAll(/file: \.\/compose\/secrets\/([a-z-]+)/g)].map(([, name]) => name)
  const made = [...read('compose/make-secrets.sh').matchAll(/^make ([a-z-]+) /gm)].map(([, name]) => name)
  expect(wanted.length).toBeGreaterThan(3)
  expect(wanted.filter((name) => !made.includes(name))).toEqual([])
})

test.runIf(process.getuid?.() === 0)(
  'only root can read the secrets that the script makes for Keycloak (needs root)',
  () => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'compose-'))
    onTestFinished(() => fs.rmSync(directory, { recursive: true }))
    fs.cpSync('deploy/compose', path.join(directory, 'compose'), {
      recursive: true,
      filter: (file) => path.basename(file) !== 'secrets',
    })
    const file = path.join(directory, '.env')
    fs.writeFileSync(file, 'OIDC_SECRET=old', { mode: 0o644 })
    fs.chownSync(file, 10_001, 10_001)
    const { status, stderr } = spawnSync(path.join(directory, 'compose/make-secrets.sh'), { encoding: 'utf8' })
    expect(status, stderr).toBe(0)
    const { uid, mode } = fs.statSync(file)
    expect({ uid, mode: (mode & 0o777).toString(8) }).toEqual({ uid: 0, mode: '600' })
    const given = [...fs.readFileSync(file, 'utf8').matchAll(/^([A-Z_]+)=./gm)].map(([, name]) => name)
    const wanted = [...read('compose.yaml').matchAll(/\{([A-Z_]+):\?/g)].map(([, name]) => name)
    expect(given.sort()).toEqual([...new Set(wanted)].sort())
  },
)

test('Keycloak keeps its data in PostgreSQL, in a database that the script for an empty one makes', () => {
  const [, keycloak = ''] = /\n {2}keycloak:\n([\s\S]*?)\n\n/.exec(read('compose.yaml')) ?? []
  expect(keycloak).toContain('command: [start, --import-realm]')
  expect(keycloak).toContain('KC_DB: postgres')
  const [, database] = /KC_DB_URL: jdbc:postgresql:\/\/database:5432\/(\w+)/.exec(keycloak) ?? []
  const [, role] = /KC_DB_USERNAME: (\w+)/.exec(keycloak) ?? []
  expect(read('compose/create-roles.sh')).toContain(`create database ${database} owner ${role};`)
})

test('the portal reads a copy of the certificate of the authority, and never mounts the folder with its key', () => {
  const services = new Map(
    [...read('compose.yaml').matchAll(/^ {2}([a-z-]+):\n((?: {4}.*\n)+)/gm)].map(([, name, text = '']) => [name, text]),
  )
  for (const name of ['portal', 'migrate']) {
    expect(services.get(name)).toContain('ca:/ca:ro')
    expect(services.get(name)).not.toContain('caddy-data')
    expect(services.get(name)).toContain('ca: { condition: service_completed_successfully }')
  }
  expect(services.get('ca')).toContain('chmod 0444 /ca/root.crt')
})

test('every container has a limit of memory and rotated logs, and every one that stays has a health check', () => {
  const [, shared = ''] = /\nx-portal: &portal\n([\s\S]*?)\nservices:/.exec(read('compose.yaml')) ?? []
  const services = [...read('compose.yaml').matchAll(/^ {2}([a-z-]+):\n((?: {4}.*\n)+)/gm)].filter(([, , text = '']) =>
    /^ {4}(image|<<):/m.test(text),
  )
  expect(services.length).toBeGreaterThan(6)
  for (const [, name, text = ''] of services) {
    const all = text.includes('<<: *portal') ? shared + text : text
    expect(all, name).toMatch(/^ +mem_limit: /m)
    expect(all, name).toMatch(/^ +logging: [*]logs$/m)
    if (text.includes('restart: unless-stopped'))
      expect(text, name).toMatch(/^ {4}healthcheck:\n {6}(#.*\n {6})?test:/m)
  }
})

test('the memory limit of chart and compose file is above what 500 users take in one process', () => {
  const [, measured] =
    /940 MB after 10 minutes, 951 after 20, ([0-9]+) after 30/.exec(fs.readFileSync('docs/performance.md', 'utf8')) ??
    []
  const [, gigabytes] = /limits: \{ memory: (\d+)Gi \}/.exec(read('helm/values.yaml')) ?? []
  expect(Number(gigabytes) * 1024).toBeGreaterThan(Number(measured) * 1.5)
  expect(read('compose.yaml')).toContain(`mem_limit: \${PORTAL_MEMORY:-${gigabytes}g}`)
})

test('a single replica may be drained, and several are spread over nodes', () => {
  const [, budget = ''] = /minAvailable: (.+)/.exec(read('helm/templates/service.yaml')) ?? []
  expect(budget).toMatch(/^\{\{ if gt \(int [.]Values[.]replicas\) 1 \}\}.+\{\{ else \}\}0\{\{ end \}\}$/)
  expect(read('helm/templates/deployment.yaml')).toContain('topologyKey: kubernetes.io/hostname')
})

test('every node of the compose file for Citus has its official image, in the version that the guide names', () => {
  const images = [...read('compose.citus.yaml').matchAll(/image: (.+)/g)].map(([, image]) => image)
  expect(images).toEqual([expect.stringMatching(/^citusdata\/citus:13[.]2[.]\d+$/)])
  expect(fs.readFileSync('docs/scale-out.md', 'utf8')).toContain('Tried with Citus 13.2')
})

test('only the migration has the password of the owner', () => {
  const [, portal = ''] = /\n {2}portal:\n([\s\S]*?)\n\n/.exec(read('compose.yaml')) ?? []
  expect(portal).toContain('service_completed_successfully')
  expect(portal).not.toContain('owner')
  const [, values = '', migration = ''] =
    /\nsecrets:\n([\s\S]*?)\nmigration:\n([\s\S]*?)\n\n/.exec(read('helm/values.yaml')) ?? []
  expect(values).not.toMatch(/^ {2}DATABASE_OWNER_URL:/m)
  expect(migration).toContain('DATABASE_OWNER_URL:')
  expect(read('helm/templates/deployment.yaml')).not.toContain('migration.secrets')
})

test.runIf(hasHelm).each([['lint'], ['template', 'portal']])('helm %s accepts the chart (needs helm)', (...words) => {
  const values = [
    '--set',
    'publicUrl=https://portal.example',
    '--set',
    'ingress.enabled=true,serviceMonitor.enabled=true',
  ]
  const { status, stdout, stderr } = spawnSync('helm', [...words, 'deploy/helm', ...values])
  expect(status, `${stdout}${stderr}`).toBe(0)
})

test('the chart prints no number as Helm reads it, with an exponent', () => {
  const templates = fs.readdirSync('deploy/helm/templates').map((file) => read(`helm/templates/${file}`))
  const keys = ['replicas', 'activeDeadlineSeconds', 'port', 'minAvailable', 'drainSeconds']
  const bare = new RegExp(`\\{\\{-? *[.$\\w]*Values[.](?:\\w+[.])?(?:${keys.join('|')})\\b`)
  expect(templates.filter((text) => bare.test(text))).toEqual([])
  expect(templates.join()).not.toContain('{{ $value | quote }}')
})

test('the systemd unit starts the version that install.sh links, and tells only its first process to stop', () => {
  const unit = read('systemd/licensing-portal.service')
  expect(unit).toContain('\nExecStart=/opt/licensing-portal/current/bin/portal-server\n')
  expect(unit).toContain('\nKillMode=mixed\n')
})

test('the chart has the version of the portal', () => {
  const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8'))
  expect(read('helm/Chart.yaml')).toContain(`\nappVersion: ${version}\n`)
})
