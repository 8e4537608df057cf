import { readStatus } from '#server/modules/license-use/lmstat/status-rows.ts'
import { joinHalves } from '#server/modules/license-use/logs/joined-rows.ts'
import { readLog } from '#server/modules/license-use/logs/log-rows.ts'
import type { ReadingAnswer, ReadingQuestion } from '#server/modules/license-use/logs/log-threads.ts'
import { answerQuestions } from '#server/threads/answer-questions.ts'

/** A thread that reads one text of a license server after the other. */
answerQuestions((question: ReadingQuestion): ReadingAnswer => {
  switch (question.kind) {
    case 'log':
      return readLog(question)
    case 'status':
      return readStatus(question)
    case 'join':
      return joinHalves(question)
  }
})
