import { randomUUID } from 'node:crypto'
import { VIEWER } from '#domain/access/roles.ts'
import { CONTACTS, NO_ID } from '#server/testing/samples/given.ts'
import { anyStaff, everyone, granters, notShutOut, onlyOlivia } from '#server/testing/samples/rules.ts'
import { alike, missing, on, type Samples, signedIn } from '#server/testing/samples/sample.ts'
import { about, type Walk } from '#server/testing/samples/walk.ts'

const loadSwitches = (customerNumber: string) => ({
  isAccessDisabled: customerNumber === '100008',
  salesAccess: customerNumber === '100003' ? ['saul.access@partner.example'] : [],
  fnpLicenseGenerators: customerNumber === '100003' ? ['greta.generator@partner.example'] : [],
})

export const settingsSamples: Samples = {
  rows: {
    ...alike(signedIn(), 'getBuildInfo', 'getFeatures'),
    getPreferences: signedIn(),
    environment: { kind: 'public', sample: () => ({}) },
    setFeatures: signedIn({ body: { features: ['home'] } }),
    savePreferences: {
      kind: { on: 'accounts', may: everyone },
      sample: (...accounts) => ({
        body: { tables: accounts.map((customerNumber) => ({ customerNumber, tableName: 'emailList' })) },
      }),
    },
    tableviews: on(everyone, { tableName: 'emailList' }),
    'tableviews/add': on(everyone, () => ({ tableName: 'emailList', name: `Matrix ${randomUUID()}`, view: {} })),
    ...alike(missing(everyone, { id: NO_ID }), 'tableviews/change', 'tableviews/remove'),
    getportalaccess: on(notShutOut),
    setportalaccess: on(granters, (number) => ({
      newContacts: CONTACTS[number] ?? [],
      oldContacts: CONTACTS[number] ?? [],
    })),
    'viewas/start': missing(anyStaff, { email: 'no.such@contact.example' }),
    'viewas/stop': signedIn(),
    getaccountswitches: on(onlyOlivia),
    setaccountswitches: on(onlyOlivia, (number) => ({
      newSwitches: loadSwitches(number),
      oldSwitches: loadSwitches(number),
    })),
  },
  async walk(walk) {
    await viewAsContact(walk)
    await nameViews(walk)
    await changeSettings(walk)
  },
}

/** Looks at the portal as a contact, and stops at once: meanwhile nothing can be changed. */
async function viewAsContact({ call }: Walk): Promise<void> {
  await call('viewas/start', { body: { ...about, email: 'vic.viewer@aerodyne.example' } })
  await call('viewas/stop', {})
}

async function nameViews({ ask, call }: Walk): Promise<void> {
  const table = { ...about, tableName: 'emailList' }
  const id = await ask('tableviews/add', { body: { ...table, name: 'Every operation', view: {} } })
  await call('tableviews', { body: table })
  await call('tableviews/change', { body: { ...about, id, isShared: true } })
  await call('tableviews/remove', { body: { ...about, id } })
}

/** Changes settings for real: the samples save what is there already. */
async function changeSettings({ call }: Walk): Promise<void> {
  const { data: contacts } = (await call('getportalaccess', { body: about })).body
  const added = { email: 'every.operation@aerodyne.example', role: VIEWER }
  await call('setportalaccess', {
    body: { ...about, oldContacts: contacts, newContacts: [...((contacts as object[] | undefined) ?? []), added] },
  })
  const { data: switches } = (await call('getaccountswitches', { body: about })).body
  await call('setaccountswitches', {
    body: { ...about, oldSwitches: switches, newSwitches: { ...(switches as object), salesAccess: [added.email] } },
  })
}
