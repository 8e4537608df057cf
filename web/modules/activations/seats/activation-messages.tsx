import { Button, Group } from '@mantine/core'
import classes from '#web/modules/activations/activations.module.css'
import type { useSaveFlow } from '#web/modules/activations/plans/use-save-flow.ts'
import { SignalStrip } from '#web/ui/signal-strip.tsx'

type Props = {
  saving: ReturnType<typeof useSaveFlow>
  loadError: Error | undefined | null
  onReload(): void
  problem: string | undefined
  onProblemSeen(): void
  /** The id of a license server that the link names and the account does not have. */
  missingServer: string | undefined
  isNothingToActivate: boolean
  warning: string | undefined
}

const CLEAR = 'Clear the error and reload the license server'

/** Messages above the tables. Clearing an error reloads the server. */
export function ActivationMessages(props: Props) {
  const { saving, loadError, onReload, problem, onProblemSeen, missingServer, isNothingToActivate, warning } = props
  const { state } = saving
  return (
    <div className={classes.messages}>
      {state.kind === 'failed' && (
        <SignalStrip signal="red" role="alert" closeLabel={CLEAR} onClose={() => void saving.clearError()}>
          {state.failure.text}
          {state.failure.why && <span className={classes.why}>{state.failure.why}</span>}
          {state.failure.refused.map(({ reason, products }) => (
            <div key={reason} className={classes.why}>
              {reason}
              <ul className={classes.refused}>
                {products.map((product) => (
                  <li key={product}>{product}</li>
                ))}
              </ul>
            </div>
          ))}
          {state.failure.canContinue && (
            <Group gap="0.5rem" mt="0.5rem">
              <Button size="compact-sm" variant="default" onClick={() => saving.start(state.job)}>
                Continue saving
              </Button>
            </Group>
          )}
        </SignalStrip>
      )}
      {loadError && (
        <SignalStrip signal="red" role="alert" closeLabel={CLEAR} onClose={onReload}>
          {loadError.message}
        </SignalStrip>
      )}
      {problem && (
        <SignalStrip signal="red" role="alert" onClose={onProblemSeen}>
          {problem}
        </SignalStrip>
      )}
      {missingServer && (
        <SignalStrip signal="orange" role="status">
          This account has no license server with the ID {missingServer}. It may have been deleted, or it belongs to
          another account.
        </SignalStrip>
      )}
      {isNothingToActivate && (
        <SignalStrip signal="orange" role="status">
          This entitlement has no seats left to activate.
        </SignalStrip>
      )}
      {warning && (
        <SignalStrip signal="orange" role="status">
          {warning}
        </SignalStrip>
      )}
    </div>
  )
}
