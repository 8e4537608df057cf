import { act, download, named, type WordsByAction } from '#domain/audit/words.ts'

export const PLANNER_WORDS: WordsByAction = {
  'planner/plans/save': named('Saved the renewal plan', 'save a renewal plan', 'after'),
  'planner/plans/remove': named('Removed the renewal plan', 'remove a renewal plan', 'before'),
  'planner/plans/export': download('a renewal plan'),
  'planner/plans/pdf': download('a renewal plan'),
  'planner/plans/draft': act('Made a draft order of a renewal plan', 'make a draft order of a plan', 'with the id'),
}
