import type { Options } from './option.ts'

/** The options for the service's address and its caller, for every command that is connected to it. */
export const connectionOptions = {
  url: { type: 'string', value: 'URL', summary: 'Where the service is; also DOORSTEP_URL' },
  username: { type: 'string', value: 'NAME', summary: 'User name of the API key; also DOORSTEP_USERNAME' },
  'api-key': {
    type: 'string',
    value: 'KEY',
    summary: 'The API key; better DOORSTEP_API_KEY or "doorstep login": other people can see a command line',
  },
  profile: { type: 'string', value: 'NAME', summary: 'A connection saved by "doorstep login"; also DOORSTEP_PROFILE' },
} as const satisfies Options

export const shopOption = {
  shop: { type: 'string', short: 's', value: 'SLUG', summary: 'The shop; also DOORSTEP_SHOP' },
} as const satisfies Options

/** Of every command. */
export const globalOptions = {
  json: { type: 'boolean', summary: 'Print JSON: one document, or one line per item of a stream' },
  'no-color': { type: 'boolean', summary: 'Print without colours; also NO_COLOR' },
  debug: { type: 'boolean', summary: 'Print where an error comes from' },
  help: { type: 'boolean', short: 'h', summary: 'Show how the command is used' },
} as const satisfies Options

/** All that may stand before the command's name. */
export const commonOptions = { ...globalOptions, ...connectionOptions, ...shopOption } as const satisfies Options
