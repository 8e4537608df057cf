import type { FastifyInstance } from 'fastify'
import type { Route } from '#server/operations/route.ts'
import type { Services } from '#server/services.ts'
import type { Job } from '#server/tasks/job.ts'
import type { AnyTaskKind } from '#server/tasks/task-kind.ts'

/** What a module is. The server, the import rules and the test of owners read it. */
export type Module = {
  readonly name: string
  /** The modules below it: their `<module>.public.ts` may be imported, and their tables declared as read. */
  readonly mayUse: readonly string[]
  /** Whether every other module may use it. */
  readonly isShared?: true
  /** Puts the operations of the module on the server. */
  readonly routes?: (route: Route, app: FastifyInstance, services: Services) => void
  readonly jobs?: readonly Job<never>[]
  readonly tasks?: readonly AnyTaskKind[]
}
