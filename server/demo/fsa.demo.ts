import type { DemoPart } from '#server/demo/demo-part.ts'

/** Who is told of orders. The contracts themselves come with the entitlements. */
export const fsa: DemoPart = {
  name: 'fsa',
  async load(tx) {
    await tx
      .updateTable('fsa_contract')
      .set({ business_operations_emails: ['olivia.ops@vendor.example'] })
      .execute()
  },
}
