import type { Config } from '#server/config.ts'
import { type Finding, failed, ok } from '#server/doctor/finding.ts'
import { createProviderLoader } from '#server/identity/oidc-client.ts'

/** Whether the identity provider answers, as at a sign-in; undefined where only demo people sign in. */
export async function checkProvider({ signIn }: Pick<Config, 'signIn'>): Promise<Finding | undefined> {
  if (!signIn) return undefined
  try {
    await createProviderLoader(signIn)()
    return ok(`${signIn.issuer} answers`)
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error ? `${message} (${cause.message})` : message
    return failed(
      `${signIn.issuer} does not answer as an identity provider: ${reason}`,
      'Nobody can sign in: check OIDC_ISSUER, and that this machine reaches it',
    )
  }
}
