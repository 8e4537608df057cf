import { useMemo, useState } from 'react'
import { usePortfolio } from '#web/app/customer/portfolio.ts'
import { type VisibleGroup, visibleMenu } from '#web/app/menu/visible-menu.ts'
import { useFeatures } from '#web/app/screens/use-features.ts'
import { useCustomer } from '#web/lib/customer.tsx'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'

/** The menu of the selected customer. It does not change while another customer loads. */
export function useMenu(): readonly VisibleGroup[] {
  const { actor } = useSignedIn()
  const features = useFeatures()
  const customer = useCustomer()
  const hasNoAccount = usePortfolio().state === 'none'
  const [settled, setSettled] = useState<{ customer: typeof customer; features: typeof features }>()
  if (features && customer.state !== 'asking' && (settled?.customer !== customer || settled.features !== features))
    setSettled({ customer, features })
  return useMemo(() => {
    if (!settled?.features) return []
    const on = settled.customer.state === 'known' ? settled.customer.standing : undefined
    return visibleMenu({ who: actor, on, hasNoAccount }, settled.features)
  }, [actor, hasNoAccount, settled])
}
