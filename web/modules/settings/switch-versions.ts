import type { AccountSwitches } from '#contract/settings/portal-access-switches.ts'
import type { Difference } from '#web/ui/both-versions/both-versions.tsx'

/** Where two versions of the switches differ, in the words of the form. */
export function switchDifferences(theirs: AccountSwitches, yours: AccountSwitches): Difference[] {
  return [
    { what: 'Access disabled', theirs: yesOrNo(theirs.isAccessDisabled), yours: yesOrNo(yours.isAccessDisabled) },
    { what: 'Sales access', theirs: people(theirs.salesAccess), yours: people(yours.salesAccess) },
    {
      what: 'FNP license generators',
      theirs: people(theirs.fnpLicenseGenerators),
      yours: people(yours.fnpLicenseGenerators),
    },
  ].filter((difference) => difference.theirs !== difference.yours)
}

const yesOrNo = (is: boolean) => (is ? 'Yes' : 'No')
const people = (emails: readonly string[]) => (emails.length > 0 ? emails.toSorted().join('\n') : 'Nobody')
