import type { DemoPart } from '#server/demo/demo-part.ts'
import { DEMO_PEOPLE } from '#server/demo/people.ts'

export const people: DemoPart = {
  name: 'people',
  async load(tx) {
    await tx
      .insertInto('person')
      .values(
        DEMO_PEOPLE.map((person) => ({
          email: person.email,
          first_name: person.firstName,
          last_name: person.lastName,
          last_sign_in_at: null,
        })),
      )
      // Someone may have signed in before the demo data came.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  },
}
