import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { NewTokenAnswer, SavedTokenPolicy } from '#contract/tokens/tokens.ts'
import { Loaded } from '#web/form/loaded.tsx'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { reloadTokens, tokenPolicyQuery } from '#web/modules/tokens/tokens.api.ts'
import { ShownOnce } from '#web/ui/dialogs/shown-once.dialog.tsx'

export type TokenFormProps = {
  customerNumber: string
  policy: SavedTokenPolicy
  onMade(name: string, made: NewTokenAnswer): void
  onClose(): void
}

/** A form that makes a token, and the token once it is made. */
export function TokenDialog({ form, onClose }: { form(props: TokenFormProps): ReactNode; onClose(): void }) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const [made, setMade] = useState<{ name: string; token: string }>()
  const onMade = (name: string, { token }: NewTokenAnswer) => {
    setMade({ name, token })
    void reloadTokens(queries, number)
  }
  if (made)
    return (
      <ShownOnce title={`Token "${made.name}"`} what="token" value={made.token} onClose={onClose}>
        Programs send it in the header <code>Authorization: Bearer</code>.
      </ShownOnce>
    )
  return (
    <Loaded query={tokenPolicyQuery(number)}>
      {(policy) => form({ customerNumber: number, policy, onMade, onClose })}
    </Loaded>
  )
}
