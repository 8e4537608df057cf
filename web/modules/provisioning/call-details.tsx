import type { ScimCall } from '#contract/provisioning/provisioning.ts'
import { Loaded } from '#web/form/loaded.tsx'
import { scimCallQuery } from '#web/modules/provisioning/provisioning.api.ts'
import { Sides } from '#web/ui/sides.tsx'

/** Both sides of a call. Secrets were removed when it was logged. */
export function CallDetails({ customerNumber, call: { id } }: { customerNumber: string; call: ScimCall }) {
  return (
    <Loaded query={scimCallQuery(customerNumber, id)}>
      {({ body, answer, isCut }) => (
        <Sides
          sides={[
            [isCut ? 'Sent (its beginning)' : 'Sent', body === '' ? 'No body' : indented(body)],
            ['Answered', answer === '' ? 'No body' : indented(answer)],
          ]}
        />
      )}
    </Loaded>
  )
}

/** What was sent may be no JSON, which is why it failed. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
