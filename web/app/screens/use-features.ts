import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type FeatureSwitches, featureSwitches } from '#web/app/screens/feature-switches.ts'
import { featuresQuery } from '#web/modules/settings/settings.api.ts'

/** Undefined while the flags load. If they fail to load, every route is open. */
export function useFeatures(): FeatureSwitches | undefined {
  const { data, isError } = useQuery(featuresQuery)
  return useMemo(() => {
    if (data) return featureSwitches(data)
    return isError ? featureSwitches([]) : undefined
  }, [data, isError])
}
