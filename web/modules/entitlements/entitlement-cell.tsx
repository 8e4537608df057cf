import { Badge } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import classes from './entitlements.module.css'

type Props = { product: string; activationId: string; isEvaluation?: boolean }

/** The product, and below it the id under which it is activated. */
export function EntitlementCell({ product, activationId, isEvaluation }: Props) {
  return (
    <span className={classes.entitlement}>
      <span className={classes.names}>
        <span className={classes.product} title={product}>
          {product}
        </span>
        <span className={classes.activationId} title={activationId}>
          {activationId}
        </span>
      </span>
      {isEvaluation && (
        <Badge size="xs" variant="default" className={classes.evaluation}>
          Evaluation
        </Badge>
      )}
      <CopyId id={activationId} />
    </span>
  )
}

/** One per row: a plain button draws many times faster than one with a tooltip of its own. */
function CopyId({ id }: { id: string }) {
  const { copied, copy } = useClipboard({ timeout: 1500 })
  const label = copied ? 'Copied' : 'Copy activation ID'
  return (
    <button type="button" className={classes.copy} title={label} aria-label={label} onClick={() => copy(id)}>
      {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
    </button>
  )
}
