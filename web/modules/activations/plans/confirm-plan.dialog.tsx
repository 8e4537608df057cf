import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { HostPlan, PlanPreview } from '#contract/activations/plans/plan-fields.ts'
import type { Soon } from '#domain/entitlements/term.ts'
import { useSave } from '#web/form/use-save.ts'
import { doneChanges } from '#web/modules/activations/plans/done-changes.ts'
import {
  type Confirmed,
  type PlanRequest,
  planQuery,
  reloadHistory,
  reloadPlans,
  startPlan,
} from '#web/modules/activations/plans/host-plan.api.ts'
import { PlanConfirmation } from '#web/modules/activations/plans/plan-confirmation.tsx'
import { PlanResultDialog } from '#web/modules/activations/plans/plan-result.dialog.tsx'
import { planTexts } from '#web/modules/activations/plans/plan-texts.ts'
import { SaveProgress } from '#web/modules/activations/plans/save-progress.tsx'
import { showPanel } from '#web/ui/panels.ts'

type Props = {
  request: PlanRequest
  /** A renewal leaves out what ends later, unless it is ticked. */
  soon?: Soon | undefined
  onClose(): void
  /** Where Escape leads before it has begun, if something was entered before. */
  onBack?: () => void
}
type Begun = { readonly plan: HostPlan; readonly preview: PlanPreview }

/** Asks for a plan: what it will do, then how far the server is with it, then the license files that came of it. */
export function ConfirmPlanDialog({ request, soon, onClose, onBack }: Props) {
  const queries = useQueryClient()
  const [begun, setBegun] = useState<Begun>()
  const [isDone, setIsDone] = useState(false)
  const progress = useQuery(planQuery(request.customerNumber, begun?.plan)).data
  const preview = begun && { ...begun.preview, changes: doneChanges(begun.preview.changes, progress?.changes) }
  const texts = planTexts(request, preview)
  const { save, isSaving, error } = useSave({
    send: ({ confirmed }: { confirmed: Confirmed; preview: PlanPreview }, key) => startPlan(request, confirmed, key),
    success: texts.begun,
    onSaved: (plan, { preview }) => {
      setBegun({ plan, preview })
      void reloadPlans(queries)
    },
    onFailed: () => true,
  })
  const files = begun?.preview.files.filter(({ licenseText }) => licenseText !== '') ?? []
  const isOver = begun !== undefined && progress?.finishedAt != null
  useEffect(() => {
    if (!isOver || !progress) return
    void reloadHistory(queries)
    if (!progress.failure && files.length > 0) return setIsDone(true)
    if (progress.failure) showPanel('error', progress.failure.err)
    else showPanel('success', texts.finished)
    onClose()
  }, [isOver])

  if (begun && isDone)
    return (
      <PlanResultDialog
        customerNumber={request.customerNumber}
        planId={begun.plan.id}
        text={texts.finished}
        files={files}
        filesLeftOut={begun.preview.filesLeftOut}
        onClose={onClose}
      />
    )
  if (begun) {
    const { text, done, total } = progress ?? begun.plan
    return <SaveProgress progress={{ text, done, total }} onLeave={onClose} />
  }
  return (
    <PlanConfirmation
      request={request}
      soon={soon}
      refusal={error}
      isSaving={isSaving}
      onConfirm={(confirmed, preview) => save({ confirmed, preview })}
      onClose={onClose}
      onBack={onBack}
    />
  )
}
