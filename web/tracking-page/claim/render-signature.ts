import { type Html, html } from '../../../src/foundation/html.ts'
import { maxNameLength } from './check-form.ts'
import { optionalMark, reasonsWhere, section } from './render-field.ts'
import { type ClaimFormView, problemsAt } from './view.ts'

/** A drawn signature if there is JavaScript, or a typed name. */
export function signatureSection(view: ClaimFormView): Html {
  const { texts, values } = view
  const problems = problemsAt(view, 'signature')
  const invalid = problems.length > 0 ? html` aria-invalid="true" aria-describedby="signature-problem"` : undefined
  return section({
    id: 'signature',
    shownFor: reasonsWhere(({ signature }) => signature !== 'none'),
    legend: html`${texts.say('signature.heading')}${optionalMark(
      texts,
      reasonsWhere(({ signature }) => signature === 'optional'),
    )}`,
    hint: html`<p class="only" data-for="investigation">${texts.say('signature.hint.investigation')}</p><p data-for="${reasonsWhere(({ signature }) => signature === 'optional')}">${texts.say('signature.hint')}</p>`,
    problems,
    texts,
    body: html`${renderStoredSignature(view)}
<div class="pad" data-pad data-drawn="${texts.say('signature.drawn')}" data-cleared="${texts.say('signature.cleared')}" hidden>
<canvas width="1200" height="500" role="img" aria-label="${texts.say('signature.pad.label')}"></canvas>
<span class="line" aria-hidden="true">${texts.say('signature.pad')}</span>
<button type="button" class="clear">${texts.say('signature.clear')}</button>
<input type="file" name="signature" accept="image/png" hidden>
<p class="unseen" role="status"></p>
</div>
<div class="field"><label for="signature"><span class="plain">${texts.say('signature.name')}</span><span class="instead">${texts.say('signature.or')}</span></label>
<input type="text" id="signature" name="signature_name" autocomplete="name" maxlength="${maxNameLength}" value="${values.signatureName}"${invalid}></div>`,
  })
}

function renderStoredSignature({ texts, signature }: ClaimFormView): Html | undefined {
  if (signature === undefined) return undefined
  return html`<div class="kept-signature"><input type="hidden" name="kept_signature" value="${signature.field}"><img src="${signature.address}" alt="${texts.say('signature.kept')}">
<label for="remove-signature"><input type="checkbox" id="remove-signature" name="remove_signature" value="1"><span>${texts.say('signature.again')}</span></label></div>`
}
