import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ApiError, type Schemas } from 'doorstep-client'
import { api } from '../../app/api.ts'
import { safePage } from './safe-page.ts'

type SignIn = Schemas['SignIn']

/** Signs in, and opens the requested page. */
export function useSignIn(to: string | undefined) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (body: SignIn) => api.post('/v1/session', { body }),
    async onSuccess() {
      // Nothing that somebody else has read stays on the screen.
      queryClient.removeQueries()
      await navigate({ ...safePage(to), replace: true } as never) // any page of the dashboard
    },
  })
}

/** One form for both: people sign in with an address and a password, keys with a name and a secret. */
export function signInOf(name: string, secret: string, totp?: string): SignIn {
  const isPerson = name.includes('@') && !secret.startsWith('dsk_')
  if (!isPerson) return { username: name.trim(), api_key: secret.trim() }
  return { email: name.trim(), password: secret, ...(totp === undefined ? {} : { totp: totp.replaceAll(' ', '') }) }
}

/** Whether the password was right, and a code is needed. */
export function needsCode(error: unknown): boolean {
  return error instanceof ApiError && error.errors.some(({ loc }) => loc.at(-1) === 'totp')
}
