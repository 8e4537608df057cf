type Options<Item> = {
  /** The account that an item is of, for the log. */
  readonly accountOf: (item: Item) => string
  readonly complaint: string
  readonly signal?: AbortSignal | undefined
}

/** Works on one item after the other. A failure stops none of the others: at the end, an error has all failures. */
export async function tryEach<Item>(
  items: readonly Item[],
  { accountOf, complaint, signal }: Options<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: Error[] = []
  for (const item of items) {
    if (signal?.aborted) break
    await work(item).catch((cause: unknown) => failures.push(new Error(`account ${accountOf(item)}`, { cause })))
  }
  if (failures.length > 0) throw new AggregateError(failures, complaint)
}

/** For items that are customer numbers. */
export const ofAccounts = { accountOf: (customerNumber: string) => customerNumber }
