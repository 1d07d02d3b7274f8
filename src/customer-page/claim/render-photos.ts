import { type Html, html } from '../../platform/foundation/html.ts'
import { optionalMark, reasonsWhere, section } from './render-field.ts'
import { maxPhotos, megabytes } from './store-uploads.ts'
import { type ClaimFormView, problemsAt, type StoredImage } from './view.ts'

/**
 * Photos from the camera or the album. Without JavaScript these are plain file inputs; with it, photos are previewed,
 * resized and can be removed one by one.
 */
export function photosSection(view: ClaimFormView): Html {
  const { texts, photos } = view
  const size = megabytes(view.photoLimitBytes)
  return section({
    id: 'photos',
    shownFor: reasonsWhere(({ hasPhotos }) => hasPhotos),
    legend: html`${texts.say('photos.heading')}${optionalMark(texts)}`,
    hint: html`${texts.count('photos.hint', maxPhotos, { size })}`,
    problems: problemsAt(view, 'photos'),
    texts,
    body: html`
      <div
        class="photos"
        data-photos
        data-most="${maxPhotos}"
        data-name="${texts.say('photos.name')}"
        data-remove="${texts.say('photos.remove')}"
        data-remove-name="${texts.say('photos.remove.name')}"
        data-working="${texts.say('photos.working')}"
        data-full="${texts.count('photos.full', maxPhotos)}"
        data-added="${addedTexts(view)}">
        <ul class="previews">
          ${photos.map((photo, index) => renderStoredPhoto(view, photo, index + 1))}
        </ul>
        <div class="pick">
          <div class="field">
            <label for="photos">${pictureIcon}${texts.say('photos.choose')}</label>
            <input type="file" id="photos" name="photos" accept="image/*" multiple>
          </div>
          <div class="field camera">
            <label for="camera">${cameraIcon}${texts.say('photos.camera')}</label>
            <input type="file" id="camera" name="photos" accept="image/*" capture="environment">
          </div>
        </div>
        <p class="hint" role="status"></p>
      </div>`,
  })
}

/** The words for each number of photos, so that the script needs no plural rules. */
function addedTexts({ texts }: ClaimFormView): string {
  return Array.from({ length: maxPhotos + 1 }, (_, count) => texts.count('photos.added', count)).join('|')
}

function renderStoredPhoto({ texts }: ClaimFormView, photo: StoredImage, number: number): Html {
  const id = `remove-photo-${number}`
  return html`
    <li class="preview kept">
      <input type="hidden" name="kept_photo" value="${photo.field}">
      <img src="${photo.address}" alt="${texts.say('photos.name', { number })}">
      <label for="${id}">
        <input type="checkbox" id="${id}" name="remove_photo" value="${photo.field}">
        <span aria-hidden="true">${texts.say('photos.remove')}</span>
        <span class="unseen">${texts.say('photos.remove.name', { number })}</span>
      </label>
    </li>`
}

const icon = (shapes: Html) => html`
  <svg
    viewBox="0 0 24 24"
    width="20"
    height="20"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    stroke-width="1.6"
    stroke-linejoin="round">
    ${shapes}
  </svg>`

const pictureIcon = icon(html`
  <rect x="3" y="4.5" width="18" height="15" rx="2"/>
  <circle cx="8.5" cy="9.5" r="1.6"/>
  <path d="m4 17.5 5-4.5 3.5 3 4-4 3.5 3.5"/>`)
const cameraIcon = icon(html`
  <path d="M4 7.5h3.2L9 5h6l1.8 2.5H20A1.5 1.5 0 0 1 21.5 9v9.5A1.5 1.5 0 0 1 20 20H4a1.5 1.5 0 0 1-1.5-1.5V9A1.5 1.5 0 0 1 4 7.5Z"/>
  <circle cx="12" cy="13.5" r="3.6"/>`)
