import { queryOptions } from '@tanstack/react-query'
import type { OperationName } from '#contract/operations.ts'
import { type Arguments, call } from '#web/lib/api/api-client.ts'

/** Loads what an operation answers. The key begins with its name, by which changes have it loaded again. */
export const query = <N extends OperationName>(name: N, ...[input]: Arguments<N>) =>
  queryOptions({
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, ...([{ ...input, signal }] as unknown as Arguments<N>)),
  })
