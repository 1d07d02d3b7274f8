import type { Schemas } from 'doorstep-client'

export const listPath = '/v1/shops/{slug}/mail/templates'
export const templatePath = '/v1/shops/{slug}/mail/templates/{group}/{language}'

export type MailTemplate = Schemas['MailTemplate']
export type Group = MailTemplate['group']
export type Block = MailTemplate['required_blocks'][number]
export type Variable = MailTemplate['variables'][number]
export type Limits = Schemas['MailTemplateList']['limits']
export type Sample = Schemas['MailTemplateList']['samples'][number]

export const settingsPath = '/v1/shops/{slug}/settings/mail'
export const addressPath = '/v1/shops/{slug}/mail/suppressions'
export type Settings = Schemas['MailSettings']
