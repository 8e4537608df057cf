import { createContext, use } from 'react'
import type { FormFrame } from '#web/form/use-form.ts'

type Value = {
  form: FormFrame
  /** The id of the text that says why the form is read-only. */
  reasonId: string | undefined
}

export const FormContext = createContext<Value | undefined>(undefined)

export function useFormFrame(): Value {
  const value = use(FormContext)
  if (!value) throw new Error('This component must be inside of a <Form>')
  return value
}
