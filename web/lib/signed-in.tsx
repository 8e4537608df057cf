import { createContext, type ReactNode, use } from 'react'
import { type Actor, actor } from '#domain/access/standing.ts'
import type { CurrentUser } from '#web/lib/current-user.ts'

type SignedIn = { user: CurrentUser; actor: Actor }

const Context = createContext<SignedIn | null>(null)

export function SignedInProvider({ user, children }: { user: CurrentUser; children: ReactNode }) {
  return <Context value={{ user, actor: actor(user.email, user.roles) }}>{children}</Context>
}

/** The signed-in person. Every screen is inside of the route guard, so there always is one. */
export function useSignedIn(): SignedIn {
  const signedIn = use(Context)
  if (!signedIn) throw new Error('useSignedIn is used outside of SignedInProvider')
  return signedIn
}
