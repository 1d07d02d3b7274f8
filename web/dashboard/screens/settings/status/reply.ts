import type { Reply } from '../../../app/api.ts'

export type Status = Reply<'/v1/status'>
