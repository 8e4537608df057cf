import { AssignmentTabs } from '#web/modules/web-licenses/assignment-tabs.tsx'

/** Web entitlements with those who can use them; users and groups. */
export const Page = () => <AssignmentTabs tabs={['entitlements', 'users', 'groups']} />
