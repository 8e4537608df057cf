import { accountList, customerAccountList } from '#contract/accounts/account-list.ts'
import { DATA_OPERATIONS } from '#contract/data/record-operations.ts'
import { REMOVED_OPERATIONS } from '#contract/data/removed-records.ts'
import type { Operation } from '#contract/kit/operation.ts'

/*
 * What concerns more than one customer by its nature, with the reason. On shards such a statement goes to every node. All
 * other statements name one customer in every relation, as a parameter, and go to one node; a test finds those that do not.
 */

type PortalWide = { readonly reason: string }
const names = (operations: readonly Operation[]) => operations.map(({ name }) => name)

/** Operations all of whose statements may. */
export const PORTAL_WIDE_OPERATIONS: readonly (PortalWide & { readonly operations: readonly string[] })[] = [
  {
    operations: [...names(accountList.operations), ...names(customerAccountList.operations), 'accounts'],
    reason: 'They list the accounts that a person sees.',
  },
  {
    operations: ['getUserDetails'],
    reason: 'A person has roles in many accounts, and is known by email only.',
  },
  {
    operations: ['getRecentAccounts', 'getPreferences'],
    reason: 'A person keeps something of many accounts.',
  },
  { operations: ['requests/own'], reason: 'A web user has licenses of many accounts, and is known by email only.' },
  { operations: ['search'], reason: 'Staff search all accounts.' },
  { operations: ['home/accounts'], reason: 'Home of staff has the accounts that need attention.' },
  { operations: ['upkeep'], reason: 'Operators see the state of the whole installation.' },
  { operations: ['setup'], reason: 'It asks whether there is any account.' },
  {
    operations: [...names(DATA_OPERATIONS), ...names(REMOVED_OPERATIONS), 'service/usage'],
    reason: "A batch or a page of the vendor's systems has records of many customers.",
  },
]

/** How jobs find the accounts that need work. What they do then names the account. */
const FINDING_WORK = [
  `select "customer_number", "plan_id" from "host_plan" where (finished_at is null or state = 'failed' and plan_id = any (`,
  'from webhook_endpoint e join account a on a.customer_number = e.customer_number where e.is_on and (e.lease_until is null',
  'select distinct customer_number from audit_pending',
  'select distinct "customer_number" from "usage_transaction_running" where "last_heartbeat_at" <=',
  'from statement_schedule s join account a on a.customer_number = s.customer_number where (s.weekly_through is not null',
  'from (select customer_number from license_report union select customer_number from license_upload_part) r',
  'select distinct w.customer_number from license_wait w where w.closed_at is null',
  `select distinct c.customer_number from web_checkout c where c.ends_at = 'infinity' and c.last_heartbeat_at <=`,
  'select a.customer_number from account a where (lower(trim(a.export_control_status))',
  'select r.customer_number from reminder_settings r join account a on a.customer_number = r.customer_number',
  'select distinct e.customer_number from webhook_endpoint e where e.is_on and e.events &&',
  'select "customer_number", "request_id" from "license_request" where "state" = $1 and "expires_at" <=',
  'select distinct "customer_number" from "audit_log" where "at" <',
  'select customer_number, max(sequence) as sequence from audit_checkpoint where made_at >',
  `select distinct g.customer_number from scim_given g where g.kind = 'web-group'`,
  'select * from "sign_in_domain" where "proven_at" is not null and "checked_at" <=',
  'from audit_head h where h.sequence > 0 and not exists ( select 1 from audit_checkpoint c',
]

/** How jobs remove what is too old, of all accounts in one statement. */
const REMOVING_OLD_ROWS = [
  'delete from "elastic_denial" where "denied_at" <',
  'delete from "elastic_limit_told" where "told_at" <',
  'delete from "pin_address" where "right_at" <',
  'delete from "web_denial" where "denied_at" <',
  'delete from webhook_delivery where happened_at <',
  'delete from removed_record where removed_at <',
  'select "id" from "background_task" where "state" in ($1, $2)',
  'update "background_task" set "state" = $1 where "state" = $2 and "kept_until" <=',
  'delete from task_piece p using background_task t',
]

/** Single statements of other operations, and of jobs, known by a part of their text. */
export const PORTAL_WIDE_STATEMENTS: readonly (PortalWide & { readonly text: string })[] = [
  ...FINDING_WORK.map((text) => ({ text, reason: 'A job asks which accounts need work.' })),
  ...REMOVING_OLD_ROWS.map((text) => ({ text, reason: 'A job removes what is too old.' })),
  {
    text: "select coalesce(sum(bytes), 0) as bytes from background_task where state in ('waiting', 'running', 'ready')",
    reason: 'The files of all tasks share the space of the installation.',
  },
  {
    text: "select count(*) filter (where requested_by = $1 and state <> 'ready') as unfinished",
    reason: 'The quotas of a person count the tasks on all accounts.',
  },
  {
    text: 'from shared_server_member m join shared_server_member g using (group_id) left join ( select o.customer_number',
    reason: 'The license file of a shared server is made from the seats of all customers of its group.',
  },
  {
    text: '(select max(usage_arrived_at) from elastic_server where true)',
    reason: 'An account without usage is told when usage last arrived for anybody.',
  },
  {
    text: 'select exists (select 1 from contact c where c.email = $1 and c.customer_number <>',
    reason: 'Who leaves an account stays signed in on others.',
  },
  {
    text: 'as named_user from account a where a.customer_number = any (',
    reason: 'A call that names several accounts asks what the person is on each.',
  },
  {
    text: 'as ssl from account a where a.customer_number = any (',
    reason: 'A license server that several accounts share, or a text that staff search for, concerns all of them.',
  },
]
