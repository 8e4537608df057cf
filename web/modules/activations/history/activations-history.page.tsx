import { HostTable } from '#web/modules/activations/history/host-table.tsx'
import { HostPlans } from '#web/modules/activations/plans/host-plans.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

/** License servers with what is on them, what happened to them, and what can be done with them. */
export function Page() {
  return (
    <>
      <PageHead />
      <HostPlans />
      <HostTable activity="active" />
      <HostTable activity="inactive" />
    </>
  )
}
