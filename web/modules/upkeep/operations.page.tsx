import { canOnPortal } from '#domain/access/can.ts'
import { Loaded } from '#web/form/loaded.tsx'
import { ZONE_NOTE } from '#web/lib/format.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { MessagesCard } from '#web/modules/upkeep/messages-card.tsx'
import { RecoveryCard } from '#web/modules/upkeep/recovery-card.tsx'
import { NodesCard, ProcessesCard, StatementsCard } from '#web/modules/upkeep/system-cards.tsx'
import { TasksCard } from '#web/modules/upkeep/tasks-card.tsx'
import { upkeepQuery } from '#web/modules/upkeep/upkeep.api.ts'
import { IngestCard, LocksCard, PartitionsCard } from '#web/modules/upkeep/usage-cards.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import classes from './upkeep.module.css'

export function Page() {
  const { actor } = useSignedIn()
  const mayResend = canOnPortal(actor, 'outbox.write').allowed
  return (
    <>
      <PageHead context={`Refreshed every 10 seconds. ${ZONE_NOTE}`} />
      <Loaded query={upkeepQuery}>
        {(upkeep) => (
          <div className={classes.cards}>
            <NodesCard nodes={upkeep.nodes} />
            <RecoveryCard kind="backup" runs={upkeep.backups} />
            <RecoveryCard kind="drill" runs={upkeep.drills} />
            <MessagesCard messages={upkeep.messages} mayResend={mayResend} />
            <TasksCard tasks={upkeep.tasks} />
            <IngestCard ingest={upkeep.ingest} />
            <LocksCard locks={upkeep.locks} />
            <ProcessesCard processes={upkeep.processes} />
            <PartitionsCard partitions={upkeep.partitions} />
            <StatementsCard statements={upkeep.statements} />
          </div>
        )}
      </Loaded>
    </>
  )
}
