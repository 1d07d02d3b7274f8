// @ts-nocheck: it runs in browsers, whose types the service has no use for

const place = document.querySelector('.search')
const field = document.getElementById('search')
const list = document.getElementById('found')
const count = document.getElementById('found-count')
place.hidden = false

let index
/** Library and index come when somebody begins to search. */
const load = () => {
  index ??= Promise.all([
    import('/docs/guide/minisearch.js'),
    fetch('/docs/guide/search.json').then((reply) => reply.text()),
  ]).then(([{ default: MiniSearch }, json]) =>
    MiniSearch.loadJSON(json, {
      idField: 'path',
      fields: ['title', 'heading', 'text'],
      storeFields: ['title', 'heading', 'text'],
    }),
  )
  return index
}

const close = () => {
  list.hidden = true
  list.replaceChildren()
  field.setAttribute('aria-expanded', 'false')
  field.removeAttribute('aria-activedescendant')
}

const element = (name, className, text) => Object.assign(document.createElement(name), { className, textContent: text })

/** The words around the first match. */
const excerpt = ({ text, terms }) => {
  const lower = text.toLowerCase()
  const found = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0)
  const from = found.length === 0 ? 0 : Math.max(0, Math.min(...found) - 40)
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1
  return `${start > 0 ? '… ' : ''}${text.slice(start, start + 110)}${text.length > start + 110 ? ' …' : ''}`
}

const show = async () => {
  const query = field.value.trim()
  if (query === '') return close()
  const library = await load()
  if (query !== field.value.trim()) return
  const options = { prefix: true, fuzzy: 0.2, combineWith: 'AND', boost: { title: 4, heading: 3 } }
  const results = library.search(query, options).slice(0, 8)
  const items = results.map((result, number) => {
    const item = element('li', '', '')
    item.id = `found-${number}`
    item.setAttribute('role', 'option')
    item.setAttribute('aria-selected', 'false')
    const isPage = result.title === result.heading
    const heading = element('strong', '', isPage ? result.title : `${result.title} › ${result.heading}`)
    item.append(heading, element('span', '', excerpt(result)))
    item.dataset.path = result.id
    return item
  })
  if (items.length === 0) items.push(element('li', 'nothing', 'Nothing found'))
  list.replaceChildren(...items)
  list.hidden = false
  field.setAttribute('aria-expanded', 'true')
  count.textContent = results.length === 1 ? '1 result' : `${results.length} results`
  choose(0)
}

const choose = (number) => {
  const items = [...list.querySelectorAll('[role=option]')]
  const chosen = items.at(number % items.length)
  for (const item of items) item.setAttribute('aria-selected', String(item === chosen))
  if (!chosen) return field.removeAttribute('aria-activedescendant')
  field.setAttribute('aria-activedescendant', chosen.id)
  chosen.scrollIntoView({ block: 'nearest' })
}

const chosenNumber = () => [...list.children].findIndex((item) => item.getAttribute('aria-selected') === 'true')

const open = (item) => {
  if (!item?.dataset.path) return
  close()
  field.value = ''
  location.href = item.dataset.path
}

field.addEventListener('focus', load, { once: true })
field.addEventListener('input', show)
field.addEventListener('keydown', (event) => {
  const steps = { ArrowDown: 1, ArrowUp: -1 }
  if (event.key in steps && !list.hidden) choose(chosenNumber() + steps[event.key])
  else if (event.key === 'Enter') open(list.children[chosenNumber()])
  else if (event.key === 'Escape') close()
  else return
  event.preventDefault()
})
// Before the field loses the focus, which closes the list.
list.addEventListener('mousedown', (event) => {
  event.preventDefault()
  open(event.target.closest('[role=option]'))
})
field.addEventListener('blur', close)
document.addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  field.focus()
})

// Browsers offer the clipboard to pages over HTTPS and on this machine.
for (const figure of navigator.clipboard ? document.querySelectorAll('figure.code') : []) {
  const button = element('button', 'copy', 'Copy')
  button.type = 'button'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 2_000)
  })
  figure.append(button)
}
