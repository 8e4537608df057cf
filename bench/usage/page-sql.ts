/** What a developer writes who needs this one page and nothing else: 20 rows, and one more to see that there is a next. */
export const PLAIN_PAGE = `
  select transaction_number as "TransactionNumber", started_at as "StartTime", nullif(ends_at, 'infinity') as "EndTime",
         product as "Product", product_count as "ProductCount", hours as "Hours", charge as "Charge", currency as "Currency",
         user_name as "User", host as "Host", project as "Project", session_id as "DeviceID",
         session_status as "SessionStatus", external_ip as "REFERER_IP_ADDRESS", product_version as "productVersion",
         cloud_job_id as "AnsysCloudJobId", ends_at = 'infinity' as "Active"
    from usage_transaction
   where customer_number = $1 and ends_at > $2 and started_at < $3
   order by started_at desc, transaction_number desc limit $4`

type PageBody = {
  customerNumber: string
  limit: number
  filter: { criteria: { name: string; value: string }[] }
}

/** The body that the portal takes; nothing in it is checked. */
export function plainValues(body: PageBody): [string, string, string, number] {
  const [after, before] = body.filter.criteria
  return [body.customerNumber, after!.value, before!.value, body.limit + 1]
}
