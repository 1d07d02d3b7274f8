import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
  type ToolAnnotations,
} from '@modelcontextprotocol/server'
import type { Warning } from 'doorstep-client'
import { z } from 'zod'
import { type Action, checkConfirmation, issueConfirmation } from './confirmation.ts'
import { type ConnectionOptions, openClient, resolveShop, type ToolContext } from './connection.ts'
import { cleaned, maxResultLength, renderResult } from './data.ts'
import { isExpected, ToolError, toErrorResult } from './errors.ts'

/** A tool, whatever it takes and returns. */
export interface Tool {
  name: string
  title: string
  isWrite: boolean
  register(server: McpServer, connection: ConnectionOptions): void
}

type Shape = z.ZodRawShape
type Given<Fields extends Shape> = z.output<z.ZodObject<Fields>>
/** The records, and their meaning in sentences of our own, without a word that others wrote. */
type Explained<Fields extends Shape> = { explanation: string[] } & z.input<z.ZodObject<Fields>>

interface Definition<Input extends Shape> {
  name: string
  title: string
  description: string
  input: Input
}

interface ReadDefinition<Input extends Shape, Output extends Shape> extends Definition<Input> {
  output: Output
  run(context: ToolContext, given: Given<Input>): Promise<Explained<Output>>
}

/** A tool that changes nothing. */
export function readTool<Input extends Shape, Output extends Shape>(definition: ReadDefinition<Input, Output>): Tool {
  const { name, title, description, run } = definition
  const inputSchema = z.strictObject({ ...definition.input, ...shopField })
  const outputSchema = z.object({ ...explanationField, ...definition.output })
  return {
    name,
    title,
    isWrite: false,
    register(server, connection) {
      server.registerTool(
        name,
        { title, description, inputSchema, outputSchema, annotations: reading },
        (given, { mcpReq }) =>
          attempt(connection, async () => {
            const { shop: named, ...others } = given as { shop?: string }
            const client = openClient(connection, mcpReq.signal)
            const shop = await resolveShop(client, connection, named)
            // The schema is made of these fields and `shop`.
            return toResult(await run({ client, shop, now: connection.now() }, others as Given<Input>))
          }),
      )
    },
  }
}

interface WriteDefinition<Input extends Shape> extends Definition<Input> {
  annotations: Pick<ToolAnnotations, 'idempotentHint' | 'openWorldHint'>
  /** The action in a sentence for a person, and its subject. Fails if the action is not possible. */
  preview(context: ToolContext, given: Given<Input>): Promise<{ action: string; subject: Record<string, unknown> }>
  /** Requests with the same `repeatKey` run once. */
  run(context: ToolContext, given: Given<Input>, repeatKey: string): Promise<Record<string, unknown>>
}

const writeOutput = z.object({
  explanation: z.array(z.string()).describe('What was done, or what to do next'),
  status: z.enum(['needs_confirmation', 'done', 'declined']),
  confirm: z.string().nullable().describe('Give it as the argument confirm, once the user has agreed'),
  confirm_until: z.string().nullable(),
  subject: z.record(z.string(), z.unknown()).nullable().describe('What it is about'),
  result: z.record(z.string(), z.unknown()).nullable().describe('The record after the change'),
})

const confirming =
  'Nothing is changed before the user agrees. If the client can ask the user, it does. Otherwise the first call returns a token: show the user what would be done, and call again with the same arguments and the token in `confirm` only if they agree.'

/** A tool that changes something, once a person has confirmed exactly that. */
export function writeTool<Input extends Shape>(definition: WriteDefinition<Input>): Tool {
  const { name, title, preview, run } = definition
  const description = `${definition.description} ${confirming}`
  const inputSchema = z.strictObject({ ...definition.input, ...shopField, ...confirmField })
  const annotations = { ...definition.annotations, readOnlyHint: false, destructiveHint: false }
  return {
    name,
    title,
    isWrite: true,
    register(server, connection) {
      server.registerTool(
        name,
        { title, description, inputSchema, outputSchema: writeOutput, annotations },
        (given, context) =>
          attempt(connection, async () => {
            const { shop: named, confirm, ...others } = given as { shop?: string; confirm?: string }
            const input = others as Given<Input> // the schema is made of these fields, `shop` and `confirm`
            const warnings: Warning[] = []
            const client = openClient(connection, context.mcpReq.signal, (found) => warnings.push(...found))
            const shop = await resolveShop(client, connection, named)
            const tool: ToolContext = { client, shop, now: connection.now() }
            const action: Action = { caller: connection.caller, shop, tool: name, arguments: others }
            const reply = confirm === undefined ? replyOf(context) : { token: confirm }
            if (reply === 'declined') return toWriteResult({ explanation: [declined], status: 'declined' })
            if (reply !== undefined) {
              const repeatKey = checkConfirmation(connection.confirmationKey, action, reply.token, tool.now)
              if (repeatKey === undefined) throw new ToolError('confirmation_invalid', invalidToken)
              const result = await run(tool, input, repeatKey)
              const whole = warnings.length > 0 ? { ...result, warnings } : result
              return toWriteResult({ explanation: ['It is done.'], status: 'done', result: whole })
            }
            const { action: sentence, subject } = await preview(tool, input)
            const { token, expiresAt } = issueConfirmation(connection.confirmationKey, action, tool.now)
            if (canAskUser(server, context)) return askUser(sentence, cleaned(subject), token)
            return toWriteResult({
              explanation: [`Not done yet. ${sentence}`, nextStep],
              status: 'needs_confirmation',
              confirm: token,
              confirm_until: expiresAt.toISOString(),
              subject,
            })
          }),
      )
    },
  }
}

const reading: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

const shopField = {
  shop: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('The slug of the shop. Only needed if the API key is good for several shops.'),
}

const explanationField = { explanation: z.array(z.string()).describe('What the records mean, in plain English') }

const confirmField = {
  confirm: z.string().max(200).optional().describe('The token of the first call, once the user has agreed'),
}

const declined = 'The user did not agree. Nothing was changed. Do not try again unless they ask for it.'
const nextStep =
  'Show the user what would be done. If they agree, call this tool again with the same arguments and confirm set to the token.'
const invalidToken =
  'The token in confirm has expired, or was made for other arguments. Nothing was changed. Call again without confirm.'

/** The user's reply to the question of an earlier round. */
function replyOf({ mcpReq }: ServerContext): { token: string } | 'declined' | undefined {
  const reply = inputResponse(mcpReq.inputResponses, questionName)
  if (reply.kind !== 'elicit') return undefined
  if (reply.action !== 'accept' || reply.content?.agreed !== true) return 'declined'
  return { token: mcpReq.requestState<string>() ?? '' }
}

const questionName = 'confirmation'

/** Each request says what its client can; in the protocol of 2025, the first one did. */
function canAskUser({ server }: McpServer, { mcpReq }: ServerContext): boolean {
  // The library has validated it, but does not declare what it contains.
  const envelope = mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()
  const asking = capabilities?.elicitation
  // Without a mode, a client shows forms.
  return asking !== undefined && (asking.form !== undefined || asking.url === undefined)
}

function askUser(action: string, subject: Record<string, unknown>, requestState: string) {
  const lines = Object.entries(subject).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  const question = inputRequired.elicit({
    message: [action, ...lines].join('\n'),
    requestedSchema: {
      type: 'object',
      properties: { agreed: { type: 'boolean', title: 'Do it', default: false } },
      required: ['agreed'],
    },
  })
  return inputRequired({ inputRequests: { [questionName]: question }, requestState })
}

function toWriteResult(written: { explanation: string[] } & Partial<z.input<typeof writeOutput>>): CallToolResult {
  return toResult({ confirm: null, confirm_until: null, subject: null, result: null, ...written })
}

function toResult({ explanation, ...records }: { explanation: string[] }): CallToolResult {
  const structuredContent = { explanation, ...cleaned(records) }
  const text = renderResult(structuredContent)
  if (text.length > maxResultLength) {
    throw new ToolError('result_too_large', 'The result is too large. Ask for less: a smaller limit, or one order.')
  }
  return { content: [{ type: 'text', text }], structuredContent }
}

async function attempt<Result>(
  { report }: ConnectionOptions,
  work: () => Promise<Result>,
): Promise<Result | CallToolResult> {
  try {
    return await work()
  } catch (error) {
    if (!isExpected(error)) report?.(error)
    return toErrorResult(error)
  }
}
