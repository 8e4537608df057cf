import { Anchor } from '@mantine/core'
import { useParams } from 'react-router'
import { ALERT_CATEGORIES } from '#domain/messages/alerts.ts'
import { PortalLink, PortalRedirect } from '#web/lib/address/portal-link.tsx'
import { AlertList } from '#web/modules/messages/alert-list.tsx'
import { CategoryMark } from '#web/modules/messages/category-mark.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

export function Page() {
  const { category: named = '' } = useParams()
  const category = ALERT_CATEGORIES.find((one) => one === named.toUpperCase())
  if (!category) return <PortalRedirect to="/error/404" />
  return (
    <>
      <PageHead
        title={<CategoryMark category={category} size={22} />}
        context={
          <>
            Alerts in this category.{' '}
            <Anchor component={PortalLink} to="/notifications" underline="always">
              Show all alerts
            </Anchor>
          </>
        }
      />
      <AlertList key={category} tableName="alertCategoryList" category={category} />
    </>
  )
}
