import type { DemoPart } from '#server/demo/demo-part.ts'

/** Who gets an email about orders. The contracts themselves come with the entitlements. */
export const fsa: DemoPart = {
  name: 'fsa',
  async load(tx) {
    await tx
      .updateTable('fsa_contract')
      .set({ business_operations_emails: ['olivia.ops@vendor.example'] })
      .execute()
  },
}
