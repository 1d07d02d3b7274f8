import { type ClaimReason, resolutionPreferences } from '../../claims/claims/schema.ts'
import { type Html, html } from '../../platform/foundation/html.ts'
import { linkTo } from '../viewer.ts'
import { maxDescriptionLength, maxNameLength } from './check-form.ts'
import { choice, optionalMark, problemText, reasonsWhere, section } from './render-field.ts'
import { itemsSection } from './render-items.ts'
import { photosSection } from './render-photos.ts'
import { type ClaimFormView, problemsAt } from './view.ts'

/** The form, in the order of its fields. CSS hides what the reason does not need, and the server ignores it. */
export function renderForm(view: ClaimFormView): Html {
  const { viewer, texts, shop, formAddress } = view
  return html`
    <form
      class="claim"
      method="post"
      action="${linkTo(viewer, formAddress)}"
      enctype="multipart/form-data"
      novalidate
      data-working="${texts.say('send.working')}">
      <input type="hidden" name="form" value="${view.signedFormId}">
      <input type="hidden" name="shipment" value="${view.shipment.id}">
      ${reasonSection(view)}
      ${itemsSection(view)}
      ${descriptionField(view)}
      ${photosSection(view)}
      ${dropoffSection(view)}
      ${signatureSection(view)}
      ${resolutionSection(view)}
      <div class="send" data-for="${reasonsWhere(() => true)}">
        ${problemText(texts, 'send-problem', problemsAt(view, 'send'))}
        <button class="button" id="send">${texts.say('send')}</button>
        <p class="small soft">${texts.say('privacy', { shop: shop.name })}</p>
      </div>
    </form>`
}

function reasonSection(view: ClaimFormView): Html {
  const { texts, reasons, openClaims, values } = view
  const taken = new Set(openClaims.map(({ reason }) => reason))
  const first = reasons.find((reason) => !taken.has(reason))
  const choices = reasons.map((reason) =>
    choice({
      name: 'reason',
      value: reason,
      label: texts.say(`reason.${reason}`),
      hint: texts.say(`reason.${reason}.hint`),
      isChosen: values.reason === reason && !taken.has(reason),
      ...(reason === first ? { id: 'reason' } : {}),
      isTaken: taken.has(reason) ? texts.say('reason.taken') : undefined,
    }),
  )
  return section({
    id: 'reason',
    legend: html`${texts.say('reason.heading')}`,
    problems: problemsAt(view, 'reason'),
    texts,
    role: 'radiogroup',
    body: html`<div class="choices cards">${choices}</div>`,
  })
}

/** The reasons with their own wording of the question. */
const ownQuestions = ['investigation', 'return', 'missing_product', 'support'] as const

function descriptionField(view: ClaimFormView): Html {
  const { texts, values } = view
  const problems = problemsAt(view, 'description')
  const others = view.reasons.filter((reason) => !isOwn(reason)).join(' ')
  const described = `description-hint${problems.length > 0 ? ' description-problem' : ''}`
  const optionalFor = reasonsWhere(({ isDescriptionRequired }) => !isDescriptionRequired)
  const own = (reason: (typeof ownQuestions)[number]) =>
    html`<span class="only" data-for="${reason}">${texts.say(`description.label.${reason}`)}</span>`
  // Browsers drop a line break at the start of a textarea, so that one of the customer's needs another before it.
  return html`
    <div class="ask field${problems.length > 0 ? ' wrong' : ''}" data-for="${reasonsWhere(() => true)}">
      <label for="description">
        <span data-for="${others}">${texts.say('description.label')}</span>
        ${ownQuestions.map(own)}
        ${optionalMark(texts, optionalFor)}
      </label>
      <p class="hint" id="description-hint">${texts.say('description.hint')}</p>
      ${problemText(texts, 'description-problem', problems)}
      <textarea
        id="description"
        name="description"
        rows="5"
        maxlength="${maxDescriptionLength}"
        aria-describedby="${described}"${problems.length > 0 ? html` aria-invalid="true"` : undefined}>${`\n${values.description}`}</textarea>
    </div>`
}

function isOwn(reason: ClaimReason): boolean {
  return ownQuestions.some((own) => own === reason)
}

function dropoffSection(view: ClaimFormView): Html {
  const { texts, values } = view
  const choices = (['yes', 'no', 'unknown'] as const).map((value) =>
    choice({
      name: 'dropoff',
      value,
      label: texts.say(`dropoff.${value}`),
      isChosen: values.dropoff === value,
      ...(value === 'yes' ? { id: 'dropoff' } : {}),
    }),
  )
  return section({
    id: 'dropoff',
    shownFor: reasonsWhere(({ hasDropoff }) => hasDropoff),
    legend: html`${texts.say('dropoff.heading')}`,
    hint: html`${texts.say('dropoff.hint')}`,
    problems: problemsAt(view, 'dropoff'),
    texts,
    role: 'radiogroup',
    body: html`<div class="choices">${choices}</div>`,
  })
}

function resolutionSection(view: ClaimFormView): Html {
  const { texts, values } = view
  const isKnown = resolutionPreferences.some((resolution) => resolution === values.resolution)
  const choices = resolutionPreferences.map((value) =>
    choice({
      name: 'resolution',
      value,
      label: texts.say(`resolution.${value}`),
      isChosen: values.resolution === value,
      shownFor: reasonsWhere(({ resolutions }) => resolutions.includes(value)),
    }),
  )
  const none = choice({
    name: 'resolution',
    value: '',
    label: texts.say('resolution.none'),
    isChosen: !isKnown,
    id: 'resolution',
  })
  return section({
    id: 'resolution',
    shownFor: reasonsWhere(({ resolutions }) => resolutions.length > 0),
    legend: html`${texts.say('resolution.heading')}`,
    problems: problemsAt(view, 'resolution'),
    texts,
    role: 'radiogroup',
    body: html`<div class="choices">${none}${choices}</div>`,
  })
}

/** A drawn signature if there is JavaScript, or a typed name. */
function signatureSection(view: ClaimFormView): Html {
  const { texts, values } = view
  const problems = problemsAt(view, 'signature')
  const invalid = problems.length > 0 ? html` aria-invalid="true" aria-describedby="signature-problem"` : undefined
  const optionalFor = reasonsWhere(({ signature }) => signature === 'optional')
  return section({
    id: 'signature',
    shownFor: reasonsWhere(({ signature }) => signature !== 'none'),
    legend: html`${texts.say('signature.heading')}${optionalMark(texts, optionalFor)}`,
    hint: html`
      <p class="only" data-for="investigation">${texts.say('signature.hint.investigation')}</p>
      <p data-for="${optionalFor}">${texts.say('signature.hint')}</p>`,
    problems,
    texts,
    body: html`
      ${renderStoredSignature(view)}
      <div
        class="pad"
        data-pad
        data-drawn="${texts.say('signature.drawn')}"
        data-cleared="${texts.say('signature.cleared')}"
        hidden>
        <canvas width="1200" height="500" role="img" aria-label="${texts.say('signature.pad.label')}"></canvas>
        <span class="line" aria-hidden="true">${texts.say('signature.pad')}</span>
        <button type="button" class="clear">${texts.say('signature.clear')}</button>
        <input type="file" name="signature" accept="image/png" hidden>
        <p class="unseen" role="status"></p>
      </div>
      <div class="field">
        <label for="signature">
          <span class="plain">${texts.say('signature.name')}</span>
          <span class="instead">${texts.say('signature.or')}</span>
        </label>
        <input
          type="text"
          id="signature"
          name="signature_name"
          autocomplete="name"
          maxlength="${maxNameLength}"
          value="${values.signatureName}"${invalid}>
      </div>`,
  })
}

function renderStoredSignature({ texts, signature }: ClaimFormView): Html | undefined {
  if (signature === undefined) return undefined
  return html`
    <div class="kept-signature">
      <input type="hidden" name="kept_signature" value="${signature.field}">
      <img src="${signature.address}" alt="${texts.say('signature.kept')}">
      <label for="remove-signature">
        <input type="checkbox" id="remove-signature" name="remove_signature" value="1">
        <span>${texts.say('signature.again')}</span>
      </label>
    </div>`
}
