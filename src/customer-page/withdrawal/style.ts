import { compact, style } from '../assets.ts'

const page = `
.withdrawal .step { color: var(--soft); font-weight: 600; font-size: .9375rem }
.withdrawal .who { display: grid; gap: 1.5rem; max-width: 34rem }
.withdrawal .closed { display: grid; gap: .125rem; grid-column: 2 / -1; color: var(--soft) }
.withdrawal .stack-tight { display: grid; gap: .25rem }
.withdrawal .statement { font-size: 1.1875rem; font-weight: 560; line-height: 1.4; overflow-wrap: anywhere }
.withdrawal .about { display: grid; gap: .375rem; padding-left: 1.25rem; list-style: disc; overflow-wrap: anywhere }
.withdrawal .facts dd { overflow-wrap: anywhere }
.withdrawal blockquote { margin: 0; white-space: pre-line; overflow-wrap: anywhere }
.withdrawal .confirm { display: flex; flex-wrap: wrap; gap: .75rem }
form.claim:has([name=scope][value=all]:checked) .some { display: none }
@media (max-width: 40rem) { .withdrawal .confirm .button { width: 100% } }
@media print {
  .top, .bottom, .withdrawal .back, .withdrawal .save { display: none }
  .withdrawal .card { background: none; padding: 0 }
}
`

export const withdrawalStyle = style(compact([page]))
