import { ActionIcon, Button } from '@mantine/core'
import { IconFlag, IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { memo, useState } from 'react'
import { FeaturesDialog } from '#web/modules/settings/features.dialog.tsx'
import { buildInfoQuery, environmentQuery, featuresQuery } from '#web/modules/settings/settings.api.ts'
import { Tooltip } from '#web/ui/tooltip.tsx'
import classes from './menu-footer.module.css'

const FIRST_YEAR = 2019

export const MenuFooter = memo(function MenuFooter({ isNarrow }: { isNarrow: boolean }) {
  const { data: buildInfo } = useQuery(buildInfoQuery)
  const years = `© ${FIRST_YEAR}–${new Date().getFullYear()}`
  return (
    <footer className={classes.footer} data-narrow={isNarrow || undefined}>
      {isNarrow ? (
        <Tooltip label={`${buildInfo ?? ''} ${years}`} position="right">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not reach the text. */}
          <span role="img" tabIndex={0} aria-label={`Version ${buildInfo ?? ''} ${years}`} className={classes.build}>
            <IconInfoCircle size={16} stroke={1.6} />
          </span>
        </Tooltip>
      ) : (
        <p className={classes.build}>
          {buildInfo && <span>{buildInfo}</span>}
          <span>{years}</span>
        </p>
      )}
      <FeaturesButton isNarrow={isNarrow} />
    </footer>
  )
})

/** Hidden in production. Every environment other than dev and uat counts as production. */
function FeaturesButton({ isNarrow }: { isNarrow: boolean }) {
  const { data: environment } = useQuery(environmentQuery)
  const { data: features = [] } = useQuery(featuresQuery)
  const [isOpen, setIsOpen] = useState(false)
  if (environment !== 'dev' && environment !== 'uat') return null
  const action = { onClick: () => setIsOpen(true), disabled: features.length === 0 }
  return (
    <>
      {isNarrow ? (
        <Tooltip label="Features" position="right">
          <ActionIcon variant="subtle" color="gray" size={28} aria-label="Features" {...action}>
            <IconFlag size={16} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      ) : (
        <Button variant="default" size="xs" leftSection={<IconFlag size={14} aria-hidden />} {...action}>
          Features
        </Button>
      )}
      <FeaturesDialog features={features} opened={isOpen} onClose={() => setIsOpen(false)} />
    </>
  )
}
