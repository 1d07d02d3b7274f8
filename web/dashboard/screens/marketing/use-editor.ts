import { useMutation } from '@tanstack/react-query'
import { ApiError } from 'doorstep-client'
import { useState } from 'react'
import { type Draft, problemsByField, useDraft } from '../../kit/form.tsx'

/** Problems by the name of their field, which is its place in the request. */
export type Problems = Record<string, string>

interface EditorOptions<Value> {
  stored: Value
  /** The mistakes of a draft, by the limits of the API. */
  check: (value: Value) => Problems
  save: (value: Value) => Promise<unknown>
  onSaved: () => Promise<void>
}

export interface Editor<Value> {
  draft: Draft<Value>
  /** All problems of the draft as it is now. */
  problems: Problems
  /** The problems of the last attempt to save that are still there, for the summary. */
  reported: Problems
  /** The error next to a field: for fields that lost the focus, and for all after an attempt to save. */
  errorOf: (field: string) => string | undefined
  visit: (field: string) => void
  submit: () => void
  isBusy: boolean
  /** The API's error, if it is not about one field. */
  conflict: ApiError | undefined
}

/** A draft that is checked while it is typed, next to the fields, and again when it is saved. */
export function useEditor<Value extends object>(options: EditorOptions<Value>): Editor<Value> {
  const draft = useDraft(options.stored)
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set())
  const [attempt, setAttempt] = useState<Problems>()
  const save = useMutation({
    mutationFn: () => options.save(draft.value),
    onSuccess: async () => {
      await options.onSaved()
      draft.reset()
      setAttempt(undefined)
      setVisited(new Set())
    },
  })
  const problems = options.check(draft.value)
  const conflict = save.error instanceof ApiError && save.error.status === 409 ? save.error : undefined
  const rejected = conflict ? {} : problemsByField(save.error)
  return {
    draft,
    problems,
    reported: { ...remaining(attempt, problems), ...rejected },
    errorOf: (field) => (attempt || visited.has(field) ? problems[field] : undefined) ?? rejected[field],
    visit: (field) => setVisited((before) => (before.has(field) ? before : new Set([...before, field]))),
    submit: () => {
      save.reset()
      setAttempt(problems)
      if (Object.keys(problems).length === 0) save.mutate()
    },
    isBusy: save.isPending,
    conflict,
  }
}

function remaining(attempt: Problems = {}, problems: Problems): Problems {
  return Object.fromEntries(Object.entries(attempt).filter(([field]) => problems[field] !== undefined))
}
