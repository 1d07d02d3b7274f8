import { type Html, html } from '../../platform/foundation/html.ts'
import { exampleOf } from '../example.ts'
import { roleSentence } from '../openapi/operation.ts'
import type { ApiDescription } from '../openapi.ts'
import { prose } from './prose.ts'
import { fieldRow, fieldTable, requiredMark, resolve, type SchemaNode, schemaTable } from './schema-table.ts'

interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  description?: string
  schema: SchemaNode
}

interface Content {
  schema?: SchemaNode
  example?: unknown
}

interface Response {
  description: string
  headers?: Record<string, { $ref?: string; description?: string }>
  content?: Record<string, Content>
}

/** An operation of the API description. */
export interface DescribedOperation {
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  'x-role'?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Content> }
  responses?: Record<string, Response>
}

export interface Entry {
  method: string
  path: string
  operation: DescribedOperation
}

/** One operation: its purpose, input and reply, with examples. */
export function operationSection(entry: Entry, description: ApiDescription): Html {
  const { operation, method, path } = entry
  const role = operation['x-role']
  const id = operation.operationId
  return html`<article class="operation" id="${id}" aria-labelledby="${id}-title">
<header>
<h3 id="${id}-title"><a href="#${id}">${operation.summary}</a></h3>
<p class="route">${methodBadge(method)} <code class="path">${breakablePath(path)}</code></p>
${role === undefined ? undefined : html`<p class="role">${role === 'nobody' ? 'No key needed' : html`Role <strong>${role}</strong>`}</p>`}
</header>
<div class="text">
${prose((operation.description ?? '').replace(roleSentence(role ?? ''), ''))}
${parametersPart(operation, description)}
${bodyPart(operation, description)}
${responsesPart(operation, description)}
</div>
<div class="examples">
${examplesPart(entry, description)}
</div>
</article>
`
}

export function methodBadge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`
}

function breakablePath(path: string): Html {
  return html`${path.split(/(?=\/)/).map((part) => html`<wbr>${part}`)}`
}

function parametersPart(operation: DescribedOperation, description: ApiDescription): Html | undefined {
  const parameters = parametersOf(operation, description)
  if (parameters.length === 0) return undefined
  const { schemas } = description.components
  return html`<h4>Parameters</h4>
${fieldTable(
  'Parameters',
  parameters.map((parameter) => {
    const node = { ...parameter.schema, ...(parameter.description ? { description: parameter.description } : {}) }
    return fieldRow(html`${parameter.name}`, node, schemas, [
      html`${parameter.in}`,
      ...requiredMark(parameter.required === true),
    ])
  }),
)}`
}

/** Path and query parameters first; the headers of every operation are in the introduction. */
function parametersOf(operation: DescribedOperation, description: ApiDescription): Parameter[] {
  return (operation.parameters ?? [])
    .filter((parameter) => parameter.$ref === undefined || !isCommon(parameter, description))
    .map((parameter) => resolveParameter(parameter, description))
}

function isCommon(parameter: Parameter, description: ApiDescription): boolean {
  return Object.keys(description.components.parameters).some((name) => parameter.$ref?.endsWith(`/${name}`))
}

function resolveParameter(parameter: Parameter, description: ApiDescription): Parameter {
  const name = parameter.$ref?.split('/').at(-1)
  return name === undefined ? parameter : (description.components.parameters[name] as Parameter) // all of them are
}

function bodyPart(operation: DescribedOperation, description: ApiDescription): Html | undefined {
  const [[mediaType, content] = []] = Object.entries(operation.requestBody?.content ?? {})
  if (mediaType === undefined || content?.schema === undefined) return undefined
  return html`<h4>Body <span class="media">${mediaType}</span></h4>
${schemaTable(content.schema, description.components.schemas, 'request')}`
}

function responsesPart(operation: DescribedOperation, description: ApiDescription): Html {
  const responses = Object.entries(operation.responses ?? {})
  const good = responses.filter(([status]) => Number(status) < 400)
  const errors = responses.filter(([status]) => Number(status) >= 400)
  return html`<h4>Responses</h4>
${good.map(([status, response]) => successPart(status, response, description))}
${
  errors.length === 0
    ? undefined
    : html`<details><summary>Errors <span class="hint">${errors.map(([status]) => status).join(', ')}</span></summary>
<table class="errors"><caption class="unseen">Errors</caption>
<thead class="unseen"><tr><th scope="col">Status</th><th scope="col">Key</th></tr></thead>
<tbody>${errors.map(
        ([status, response]) =>
          html`<tr><th scope="row">${status}</th><td>${response.description.split(', ').map((key) => html`<code>${key}</code> `)}</td></tr>`,
      )}</tbody></table></details>`
}`
}

function successPart(status: string, response: Response, description: ApiDescription): Html {
  const [[mediaType, content] = []] = Object.entries(response.content ?? {})
  const headers = Object.entries(response.headers ?? {})
  const schema = content?.schema
  const what = mediaType === undefined ? 'no body' : schema === undefined ? mediaType : undefined
  return html`<p class="status"><strong class="good">${status}</strong> ${response.description}${
    what === undefined || response.description.endsWith(what) ? undefined : `, ${what}`
  }${headers.length > 0 ? html` <span class="hint">with ${headers.map(([name]) => html`<code>${name}</code> `)}</span>` : undefined}</p>
${
  schema === undefined
    ? undefined
    : resolve(schema, description.components.schemas).type === 'null'
      ? html`<p class="whole">The body is <code>null</code>.</p>`
      : html`<details><summary>Fields of the response</summary>${schemaTable(schema, description.components.schemas, 'response')}</details>`
}`
}

function examplesPart(entry: Entry, description: ApiDescription): Html {
  const success = Object.entries(entry.operation.responses ?? {}).find(([status]) => Number(status) < 400)
  const content = Object.values(success?.[1].content ?? {})[0]
  return html`<figure><figcaption>Request</figcaption><pre><code>${curlOf(entry, description)}</code></pre></figure>
${
  success === undefined || content === undefined || !('example' in content)
    ? undefined
    : html`<figure><figcaption>Response <span class="hint">${success[0]}</span></figcaption><pre><code>${JSON.stringify(content.example, null, 2)}</code></pre></figure>`
}`
}

function curlOf({ method, path, operation }: Entry, description: ApiDescription): string {
  const server = String(description.servers[0]?.url ?? '')
  const parameters = parametersOf(operation, description)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === 'path' && candidate.name === name)
    const example = parameter ? exampleOf(resolve(parameter.schema, description.components.schemas)) : name
    return encodeURIComponent(example === 'text' ? name : String(example))
  })
  const needed = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(String(exampleOf(parameter.schema)))}`)
  const url = `${server}${filled}${needed.length > 0 ? `?${needed.join('&')}` : ''}`
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${shellQuoted(url)}`]
  if (operation['x-role'] !== 'nobody') lines.push('-u "$USERNAME:$API_KEY"')
  const [[mediaType, content] = []] = Object.entries(operation.requestBody?.content ?? {})
  if (mediaType === 'application/json') {
    lines.push(`-H 'Content-Type: application/json'`, `-d ${shellQuoted(JSON.stringify(content?.example, null, 2))}`)
  } else if (mediaType === 'multipart/form-data') {
    for (const [name, field] of Object.entries(content?.schema?.properties ?? {})) {
      const isFile = 'contentMediaType' in field
      lines.push(`-F ${shellQuoted(`${name}=${isFile ? '@file' : String(exampleOf(field))}`)}`)
    }
  }
  return lines.join(' \\\n  ')
}

function shellQuoted(text: string): string {
  return /^[\w:/.,@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
