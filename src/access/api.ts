import type { Operation } from '../platform/foundation/operation.ts'
import {
  createApiKey,
  createApiKeyForAllShops,
  deleteAnyApiKey,
  deleteApiKey,
  listApiKeys,
  listEveryApiKey,
  rotateSuperadminKey,
} from './keys/operations.ts'
import {
  changePerson,
  getPerson,
  invitePerson,
  removePerson,
  resetPerson,
  searchColleagues,
  searchPeople,
} from './people/operations.ts'
import {
  beginTotp,
  changePassword,
  confirmTotp,
  dismissPasswordWarning,
  removeTotp,
  updateProfile,
} from './sign-in/account-operations.ts'
import { acceptLink, readLink, requestReset } from './sign-in/link-operations.ts'
import { endOneSession, getCurrentUser, getSignInOptions, signIn, signOut } from './sign-in/session-operations.ts'

export const accessOperations: readonly Operation[] = [
  listApiKeys,
  listEveryApiKey,
  createApiKey,
  createApiKeyForAllShops,
  deleteApiKey,
  deleteAnyApiKey,
  rotateSuperadminKey,
  signIn,
  getCurrentUser,
  getSignInOptions,
  signOut,
  endOneSession,
  readLink,
  acceptLink,
  requestReset,
  updateProfile,
  changePassword,
  beginTotp,
  confirmTotp,
  removeTotp,
  dismissPasswordWarning,
  searchPeople,
  invitePerson,
  getPerson,
  changePerson,
  removePerson,
  resetPerson,
  searchColleagues,
]
