import { Loaded } from '#web/form/loaded.tsx'
import { fetchFile } from '#web/lib/api/api-client.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { limitsQuery } from '#web/modules/elastic/limits/limits.api.ts'
import { LimitsForm } from '#web/modules/elastic/limits/limits.form.tsx'
import { CsvExport } from '#web/ui/csv-export.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

export function Page() {
  const { number } = useKnownCustomer()
  return (
    <>
      <PageHead context="A start over a limit is refused. Running sessions are never ended." />
      <Loaded key={number} query={limitsQuery(number)}>
        {(loaded) => (
          <LimitsForm
            customerNumber={number}
            loaded={loaded}
            actions={
              <CsvExport
                fetchCsv={() => fetchFile('limits/export', { body: { customerNumber: number } })}
                fileName={`limits_${number}_${loaded.today}.csv`}
                total={loaded.saved.limits.length}
              />
            }
          />
        )}
      </Loaded>
    </>
  )
}
