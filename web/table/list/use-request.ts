import { useEffect, useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import type { FilterInput, SortInput } from '#domain/filter/filter.ts'
import { replaceSearch } from '#web/lib/address/replace-search.ts'
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

/** The request to the list: filter, sorting and page. Another filter or sorting starts on the first page. */
export function useRequest(wanted: Question, { isReady, urlPrefix, pageSizes }: Options) {
  const location = useLocation().key
  const search = () => (urlPrefix === undefined ? '' : window.location.search)
  const fromUrl = () => ({ ...readUrlPage(search(), urlPrefix ?? '', pageSizes), question: '', location })
  const [position, setPosition] = useState(fromUrl)
  if (position.location !== location) setPosition(fromUrl())

  const pageSize = position.pageSize ?? pageSizes[0] ?? 20
  const question = JSON.stringify([wanted.filter, wanted.sorting])
  // The page in the address belongs to the first request after the saved view is known.
  if (isReady && position.question === '') setPosition({ ...position, question })
  const isSame = position.question === '' || position.question === question
  const page = isSame ? position.page : 0

  useEffect(() => {
    if (isReady && urlPrefix !== undefined)
      replaceSearch((now) => writeUrlPage(now, urlPrefix, { page, pageSize: position.pageSize }))
  }, [isReady, urlPrefix, page, position.pageSize])

  // Equal requests keep their identity, so that a render does not send a new request.
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
      goTo: (to) => setPosition((now) => ({ ...now, page: to, question })),
      resize: (size) =>
        setPosition((now) => ({ ...now, page: 0, pageSize: size === pageSizes[0] ? undefined : size, question })),
    }),
    [page, pageSize, pageSizes, question],
  )
  return { request, paging }
}

function parsed(question: string): { filter: FilterInput; sorting: SortInput[] } {
  const [filter, sorting] = JSON.parse(question) as [FilterInput, SortInput[]]
  return { filter, sorting }
}
