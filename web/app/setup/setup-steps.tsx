import { Paper, Text, Title } from '@mantine/core'
import { type SetupState, setupSteps } from '#domain/setup/setup-steps.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './setup-steps.module.css'

/** What the operator does next, with the commands to type. */
export function SetupSteps({ state, command }: { state: SetupState; command: string }) {
  const { user } = useSignedIn()
  return (
    <div className={classes.setup}>
      <SignalStrip signal="blue">
        Run these commands on the server, in the directory of the portal. This page continues by itself.
      </SignalStrip>
      <ol className={classes.steps}>
        {setupSteps(state, { command, email: user.email }).map(({ title, why, commands }, index) => (
          <li key={title}>
            <Paper p="1rem">
              <Title order={2} mb="0.25rem">
                {index + 1}. {title}
              </Title>
              <Text c="dimmed" mb="0.75rem">
                {why}
              </Text>
              <ul className={classes.commands}>
                {commands.map((command) => (
                  <li key={command} className={classes.command}>
                    <code>{command}</code>
                    <CopyButton value={command} what="command" />
                  </li>
                ))}
              </ul>
            </Paper>
          </li>
        ))}
      </ol>
    </div>
  )
}
