import { lazy, Suspense } from 'react'
import type { Feature } from '#contract/settings/features.ts'
import { Modal } from '#web/ui/overlays/modal.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

const FeatureChoice = lazy(async () => ({
  default: (await import('#web/modules/settings/feature-choice.tsx')).FeatureChoice,
}))

type Props = { features: readonly Feature[]; opened: boolean; onClose(): void }

export function FeaturesDialog({ opened, ...choice }: Props) {
  return (
    <Modal opened={opened} onClose={choice.onClose} title="Enabled Feature Flags" size="lg">
      <Suspense fallback={<Spinner />}>
        <FeatureChoice {...choice} />
      </Suspense>
    </Modal>
  )
}
