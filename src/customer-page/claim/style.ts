import { claimReasons } from '../../claims/claims/schema.ts'
import { compact, style } from '../assets.ts'

const page = `
.claim-page { max-width: 46rem; margin-inline: auto; display: grid; gap: clamp(1.5rem, 4vw, 2.25rem); grid-template-columns: minmax(0, 1fr) }
.claim-page .intro { gap: .75rem }
.claim-page .name { font-weight: 600 }
.claim-page > :first-child { margin-bottom: -1rem }
.back { display: inline-flex; gap: .5rem; align-items: center; min-height: 2.75rem; color: var(--soft); font-weight: 560; text-decoration: none }
.back:hover { color: var(--ink); text-decoration: underline }
.chosen { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; justify-content: space-between; align-items: center; padding: 1rem 1.25rem }
.chosen p { overflow-wrap: anywhere }
.change { display: inline-block; padding-block: .375rem }
.open { display: grid; gap: 1rem }
.parcels-to-choose { display: grid; gap: 1.25rem }
.parcel-choice { position: relative; display: grid; gap: .125rem; padding: 1.125rem 3rem 1.125rem 1.25rem; border: 1px solid var(--outline); border-radius: 1rem; color: var(--ink); text-decoration: none; overflow-wrap: anywhere }
.parcel-choice::after { content: ""; position: absolute; right: 1.375rem; top: 50%; width: .5rem; height: .5rem; margin-top: -.25rem; border: solid currentColor; border-width: 2px 2px 0 0; rotate: 45deg }
.parcel-choice:hover { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent) }
.errors { border: 2px solid var(--wrong); border-radius: 1rem; padding: 1.25rem 1.5rem; display: grid; gap: .5rem; scroll-margin-top: 1rem }
.errors a { color: var(--wrong); font-weight: 600; display: inline-block; padding-block: .25rem }
.errors:focus { outline: none }
`

const form = `
form.claim { display: grid; gap: clamp(2.25rem, 6vw, 3rem); grid-template-columns: minmax(0, 1fr) }
.ask > legend, .ask.field > label { font-size: 1.1875rem; font-weight: 640; letter-spacing: -.01em; line-height: 1.3; margin-bottom: .375rem; float: none; display: block; width: 100% }
.ask > .hint { margin-bottom: 1rem; font-size: .9375rem; max-width: 38rem }
.ask > legend + .choices, .ask > legend + .problem { margin-top: .75rem }
.ask > .problem { margin-bottom: 1rem }
.ask.field > * { margin-bottom: 0 }
.ask.wrong { border-left: 4px solid var(--wrong); padding-left: 1.125rem }
fieldset[aria-invalid=true] { box-shadow: none }
.problem > span:not(.unseen) { display: block }
.optional { font-weight: 400; font-size: .875rem; letter-spacing: 0; color: var(--soft); margin-left: .375rem }
.choices { display: grid; gap: .625rem; grid-template-columns: minmax(0, 1fr) }
.choice { display: flex; gap: .875rem; padding: .9375rem 1.125rem; border: 1px solid var(--outline); border-radius: .875rem; cursor: pointer; line-height: 1.35 }
.choice > input { flex: none; margin: .0625rem 0 0 }
.choice > span { display: grid; gap: .1875rem; min-width: 0; align-content: start }
.choice:hover { border-color: var(--accent) }
.choice:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); background: var(--tint) }
.choice:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 3px }
.choice :focus-visible { outline: none }
.choice:has(:disabled) { cursor: default; border-color: var(--line); background: var(--card); color: var(--soft) }
.taken { font-size: .8125rem; font-weight: 640; color: var(--soft) }
.item { display: grid; grid-template-columns: 3.5rem minmax(0, 1fr) auto; gap: .25rem 1rem; align-items: center; padding-block: .875rem; border-top: 1px solid var(--line) }
.item:first-child { border-top: 0; padding-top: 0 }
.item .picture { width: 3.5rem; height: 3.5rem; border-radius: .75rem; background: var(--card); border: 1px solid var(--line); object-fit: cover }
.item span.picture { display: grid; place-items: center; border: 0; background: var(--tint); color: var(--accent); font-size: 1.25rem; font-weight: 640 }
.item label { display: grid; align-content: center; min-height: 3rem; cursor: pointer }
.item label .name { display: -webkit-box; -webkit-line-clamp: 3; -webkit-box-orient: vertical; overflow: hidden; font-weight: 560 }
.item label .hint { display: block }
.item select { width: auto; min-width: 7.5rem }
.item input[type=number] { width: 7rem }
.item input[type=checkbox] { width: 1.625rem; height: 1.625rem; margin: 0 .25rem; cursor: pointer }
.item .typed { display: grid; gap: .25rem; justify-items: end }
.item .problem { grid-column: 1 / -1 }
textarea { resize: vertical; min-height: 8rem; line-height: 1.5 }
.send { display: grid; gap: 1rem; justify-items: start }
.send .small { max-width: 38rem }
`

const evidence = `
.photos { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr) }
.previews { display: grid; grid-template-columns: repeat(auto-fill, minmax(6.5rem, 1fr)); gap: .75rem }
.previews:empty, .photos [role=status]:empty { display: none }
.preview { border: 1px solid var(--line); border-radius: .875rem; overflow: hidden; background: var(--card); display: grid; grid-template-rows: 1fr auto; font-size: .875rem; max-width: 11rem }
.preview img { width: 100%; aspect-ratio: 1; object-fit: cover }
.preview p { padding: .75rem; overflow-wrap: anywhere; align-self: center }
.preview .remove, .preview label { display: flex; gap: .5rem; align-items: center; justify-content: center; min-height: 2.75rem; width: 100%; border: 0; background: none; color: var(--ink); font: inherit; font-weight: 560; cursor: pointer }
.preview :focus-visible { outline-offset: -3px }
.preview:has(:checked) img, .kept-signature:has(:checked) img { opacity: .3 }
.pick { display: flex; flex-wrap: wrap; gap: .75rem }
.pick .field { position: relative }
.pick label { display: inline-flex; gap: .625rem; align-items: center }
.pick input::file-selector-button { font: inherit; font-weight: 600; border: 0; border-radius: 2rem; padding: .25rem 1rem; margin-right: .75rem; background: var(--tint); color: var(--ink); cursor: pointer }
.pick .camera { display: none }
@media (pointer: coarse) { .pick .camera { display: grid } }
.photos.scripted .pick label { min-height: 3rem; padding: .625rem 1.375rem; border-radius: 3rem; box-shadow: inset 0 0 0 1px var(--outline); cursor: pointer }
.photos.scripted .pick label:hover { box-shadow: inset 0 0 0 2px var(--accent) }
.photos.scripted .pick input { position: absolute; inset: 0; opacity: 0; pointer-events: none }
.photos.scripted .pick .field:focus-within label { outline: 3px solid var(--accent); outline-offset: 3px }
.photos.full .pick { display: none }
.pad { position: relative; margin-bottom: 1.25rem; max-width: 36rem }
.pad[hidden] { display: none }
.pad canvas { display: block; width: 100%; aspect-ratio: 2.4; background: #fff; border: 1px solid var(--outline); border-radius: .875rem; touch-action: none; cursor: crosshair }
.pad .line { position: absolute; left: 6%; right: 6%; top: 76%; border-top: 1px solid #8a9099; padding-top: .25rem; font-size: .8125rem; color: #4b5158; pointer-events: none }
.pad.signed .line { color: transparent }
.pad .clear { position: absolute; top: .5rem; right: .5rem; min-height: 2.25rem; padding: .25rem 1rem; border: 1px solid #8a9099; border-radius: 2rem; background: #fff; color: #14181f; font: inherit; font-size: .875rem; font-weight: 600; cursor: pointer }
.pad:not(.signed) .clear { visibility: hidden }
.kept-signature { display: grid; gap: .25rem; margin-bottom: 1rem; max-width: 36rem }
.kept-signature img { width: 100%; background: #fff; border: 1px solid var(--outline); border-radius: .875rem }
.kept-signature label { display: inline-flex; gap: .625rem; align-items: center; min-height: 2.75rem }
.kept-signature:has(:not(:checked)) + .pad { display: none }
.pad ~ .field { max-width: 36rem }
.instead, .scripted > .field .plain { display: none }
.scripted > .field .instead { display: inline }
@media (min-width: 40rem) {
  .cards { grid-template-columns: repeat(2, minmax(0, 1fr)) }
}
@media (max-width: 40rem) {
  .send .button { width: 100% }
  .item:has(select, [type=number]) { grid-template-columns: 3.5rem minmax(0, 1fr) }
  .item select, .item .typed { grid-column: 2; justify-self: start; justify-items: start }
}
`

/**
 * Shows only what the selected reason needs. A browser without :has() shows everything, and the server ignores the
 * rest.
 */
const unfolding = [
  '@supports selector(:has(*)) {',
  'form.claim:not(:has([name=reason]:checked)) [data-for] { display: none }',
  ...claimReasons.map(
    (reason) =>
      `form.claim:has([name=reason][value=${reason}]:checked) [data-for]:not([data-for~=${reason}]) { display: none }`,
  ),
  '}',
  '@supports not selector(:has(*)) { .only { display: none } }',
].join('\n')

export const claimStyle = style(compact([page, form, evidence, unfolding]))
