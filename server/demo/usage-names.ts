import type { Random } from '#server/demo/random.ts'

const FIRST = ['anna', 'ben', 'chloe', 'dmitri', 'elif', 'farah', 'georg', 'hana', 'ivan', 'jose', 'kim', 'lena', 'mei']
const LAST = ['adler', 'brandt', 'costa', 'dubois', 'eriksen', 'fischer', 'gupta', 'hansen', 'ito', 'jansen', 'keller']

/** Names that break code which does not quote, escape or fold: filters, grids and spreadsheets. */
const AWKWARD_USERS = ['Jürgen.Müller', 'ÅSA.ÖBERG', "o'brien", 'DOMAIN\\svc_batch', '山田太郎']
const AWKWARD_PROJECTS = [
  '=SUM(A1:A9)',
  '+49 Halle 3',
  '-draft-',
  '@home',
  'Flügel, "Mk II"',
  "<script>alert('project')</script>",
  '100% load_case\\final',
  'Étude – bâti moteur',
]
const WORK = ['Rotor', 'Housing', 'Gearbox', 'Inverter', 'Wing Box', 'Cooling', 'Antenna', 'Battery Pack', 'Exhaust']
const STEP = ['Concept', 'Fatigue', 'Modal', 'Flow', 'Thermal', 'Release', 'Crash', 'Noise']

export type UsageNames = {
  readonly users: readonly string[]
  readonly hosts: readonly string[]
  readonly projects: readonly string[]
  readonly internalIps: readonly string[]
  readonly externalIps: readonly string[]
}

/** The users, hosts and projects of an account. Addresses come from the ranges that are reserved for documentation. */
export function usageNames(customerNumber: string, people: number, random: Random): UsageNames {
  const number = Number.parseInt(customerNumber.slice(-4), 10) || 0
  const users = Array.from({ length: people }, (_, at) => {
    const again = Math.floor(at / (FIRST.length * LAST.length))
    const name = `${FIRST[at % FIRST.length]}.${LAST[(at * 7 + Math.floor(at / FIRST.length)) % LAST.length]}`
    return again ? `${name}${again + 1}` : name
  })
  const site = `ws${customerNumber.slice(-3)}`
  return {
    users: [...AWKWARD_USERS, ...users].slice(0, people),
    hosts: Array.from({ length: people * 2 }, (_, at) => `${site}-${String(at + 1).padStart(3, '0')}`),
    projects: [...AWKWARD_PROJECTS, ...random.shuffled(WORK.flatMap((work) => STEP.map((step) => `${work} ${step}`)))],
    internalIps: Array.from({ length: people * 2 }, (_, at) => `10.${number % 256}.${at >> 8}.${at & 255}`),
    externalIps: [
      ...Array.from({ length: 5 }, () => `203.0.113.${random.integer(1, 254)}`),
      ...Array.from({ length: 2 }, () => `198.51.100.${random.integer(1, 254)}`),
      `2001:db8:${number.toString(16)}::${random.hex(4)}`,
    ],
  }
}
