import type { DemoAccount } from '#server/demo/named-accounts.ts'
import type { Random } from '#server/demo/random.ts'

const FIRST_NUMBER = 200_001
const GENERATED_ACCOUNTS = 1_240

const WHERE = (
  'Alpine, Amber, Baltic, Birchwood, Boreal, Cascade, Cobalt, Coral, Crescent, Delta, Eastgate, Ember, ' +
  'Falcon, Fjord, Granite, Harbor, Highland, Indigo, Juniper, Keystone, Lagoon, Lakeside, Meridian, ' +
  'Monsoon, Northern, Obsidian, Orchard, Pacific, Prairie, Quartz, Redwood, Saffron, Sierra, Silverline, ' +
  'Southern, Summit, Tidewater, Tundra, Valley, Westbrook'
).split(', ')

const WHAT = (
  'Acoustics, Aerospace, Antennas, Batteries, Bearings, Castings, Compressors, Dynamics, Electronics, ' +
  'Engines, Fluidics, Gearworks, Hydraulics, Instruments, Marine, Mechatronics, Medical Devices, Motors, ' +
  'Optics, Photonics, Power Systems, Propulsion, Railways, Robotics, Satellites, Semiconductors, ' +
  'Structures, Thermal, Turbines, Vehicles, Wind Energy'
).split(', ')

/** Names that have broken searches, CSV files and pages before. */
const AWKWARD_NAMES = [
  'Müller & Söhne, GmbH',
  'Société d’Énergie Élan',
  "O'Brien Rotors",
  '"Quoted" Fasteners, Inc.',
  'Łódź Łożyska',
  '東京流体研究所',
  '100% Torque_Lab\\Works',
  '<script>alert("account")</script> Bindings',
  'Parentheses (and more) Piping',
]

/** Enough of them that an unfiltered search has too many. Every combination of words is used once. */
export function generateAccounts(random: Random): DemoAccount[] {
  const pairs = random.shuffled(WHERE.flatMap((where) => WHAT.map((what) => `${where} ${what}`)))
  const names = [...AWKWARD_NAMES, ...pairs].slice(0, GENERATED_ACCOUNTS)
  return names.map((name, index) => {
    const customerNumber = String(FIRST_NUMBER + index)
    return {
      customerNumber,
      name,
      orgType: random.weighted([
        ['Direct', 60],
        ['Channel', 20],
        ['Indirect', 18],
        ['Undefined', 2],
      ]),
      exportControlStatus: random.weighted([
        ['', 60],
        ['Approved', 36],
        ['Pending', 3],
        ['Denied', 1],
      ]),
      isAccessDisabled: random.chance(0.02),
      mailDomain: `customer-${customerNumber}.example`,
      timeZone: 'UTC',
    }
  })
}
