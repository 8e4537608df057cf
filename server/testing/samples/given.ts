import { ADMINISTRATOR, SUPPORT_COORDINATOR, VIEWER } from '#domain/access/roles.ts'
import { DEMO_HOSTS } from '#server/demo/fulfillments-hosts.ts'

export const NO_ID = '00000000-0000-4000-8000-000000000000'

/** Nothing to state, which is a business refusal: a file for every caller would take long. */
export const BEFORE_USAGE = { from: '2000-01-01', to: '2000-01-31' }

/** The contacts in the demo data: a save that changes nothing is allowed for callers who may save. */
export const CONTACTS: Record<string, { email: string; role: string }[]> = {
  '100001': [
    { email: 'ada.admin@aerodyne.example', role: ADMINISTRATOR },
    { email: 'cora.coordinator@aerodyne.example', role: SUPPORT_COORDINATOR },
    { email: 'paul.pending@aerodyne.example', role: VIEWER },
    { email: 'vic.viewer@aerodyne.example', role: VIEWER },
  ],
  '100003': [{ email: 'petra.principal@partner.example', role: ADMINISTRATOR }],
  '100008': [{ email: 'hal.heritage@heritage.example', role: ADMINISTRATOR }],
}

/** The first host of an account in the demo data. */
export const firstHostOf = (customerNumber: string) =>
  DEMO_HOSTS[customerNumber]?.[0] ?? { name: 'h', id: '00000000000a', type: 'ETHERNET' }

export const LICENSE_FILE = Buffer.from('SERVER lic-01 3cecef4b7d10 1055\nVENDOR ansyslmd\n')
