import { createContext, use } from 'react'
import type { FormFrame } from '#web/form/use-form.ts'

type Value = {
  form: FormFrame
  /** The id of the text that says why nothing can be changed. */
  reasonId: string | undefined
}

export const FormContext = createContext<Value | undefined>(undefined)

export function useFormFrame(): Value {
  const value = use(FormContext)
  if (!value) throw new Error('This is only for the inside of a <Form>')
  return value
}
