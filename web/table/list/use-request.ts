import { useEffect, useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import type { FilterInput, SortInput } from '#domain/filter/filter.ts'
import { replaceSearch } from '#web/lib/replace-search.ts'
import type { ListRequest } from '#web/table/list/list-state.ts'
import { readUrlPage, writeUrlPage } from '#web/table/view/url-view.ts'

export const PAGE_SIZES = [20, 25, 50, 100, 500] as const

export type Paging = {
  page: number
  pageSize: number
  pageSizes: readonly number[]
  goTo(page: number): void
  resize(pageSize: number): void
}

export type Question = { filter: FilterInput; sorting: readonly SortInput[] }

type Options = {
  isReady: boolean
  /** Undefined for a table whose page is not in the address. */
  urlPrefix: string | undefined
  /** The first one is the default. */
  pageSizes: readonly number[]
}

/** What is asked of the list: a question and a page of its answer. Another question starts again on the first page. */
export function useRequest(asked: Question, { isReady, urlPrefix, pageSizes }: Options) {
  const location = useLocation().key
  const search = () => (urlPrefix === undefined ? '' : window.location.search)
  const fromUrl = () => ({ ...readUrlPage(search(), urlPrefix ?? '', pageSizes), question: '', location })
  const [place, setPlace] = useState(fromUrl)
  if (place.location !== location) setPlace(fromUrl())

  const pageSize = place.pageSize ?? pageSizes[0] ?? 20
  const question = JSON.stringify([asked.filter, asked.sorting])
  // The page of the address belongs to the first question that is known for sure.
  if (isReady && place.question === '') setPlace({ ...place, question })
  const isSame = place.question === '' || place.question === question
  const page = isSame ? place.page : 0

  useEffect(() => {
    if (isReady && urlPrefix !== undefined)
      replaceSearch((now) => writeUrlPage(now, urlPrefix, { page, pageSize: place.pageSize }))
  }, [isReady, urlPrefix, page, place.pageSize])

  // Equal questions keep their identity, so that a new rendering is not a new request.
  const same = useMemo(() => parsed(question), [question])
  const request: ListRequest = useMemo(
    () => ({ ...same, offset: page * pageSize, limit: pageSize }),
    [same, page, pageSize],
  )
  const paging: Paging = useMemo(
    () => ({
      page,
      pageSize,
      pageSizes,
      goTo: (to) => setPlace((now) => ({ ...now, page: to, question })),
      resize: (size) =>
        setPlace((now) => ({ ...now, page: 0, pageSize: size === pageSizes[0] ? undefined : size, question })),
    }),
    [page, pageSize, pageSizes, question],
  )
  return { request, paging }
}

function parsed(question: string): { filter: FilterInput; sorting: SortInput[] } {
  const [filter, sorting] = JSON.parse(question) as [FilterInput, SortInput[]]
  return { filter, sorting }
}
