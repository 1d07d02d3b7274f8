// @ts-nocheck: it runs in browsers, whose types the service has no use for
;(() => {
  const form = document.querySelector('form.claim')
  const errors = document.getElementById('errors')
  if (errors) errors.focus()
  if (!form) return

  const maxSide = 2000
  const thumbnailSide = 360
  const working = new Set()
  let isSending = false

  // Submitting waits for photos that are still being resized, and happens once.
  form.addEventListener('submit', (event) => {
    if (isSending) return event.preventDefault()
    if (working.size > 0) {
      event.preventDefault()
      Promise.all(working).then(() => form.requestSubmit())
      return
    }
    isSending = true
    const button = form.querySelector('#send')
    button.dataset.text = button.textContent
    button.textContent = form.dataset.working
  })
  // A page restored from the back/forward cache must be usable again.
  addEventListener('pageshow', () => {
    const button = form.querySelector('#send')
    if (isSending && button.dataset.text) button.textContent = button.dataset.text
    isSending = false
  })

  function waitFor(work) {
    working.add(work)
    work.finally(() => working.delete(work))
  }

  const photos = form.querySelector('[data-photos]')
  if (photos && canFill()) takePhotos(photos)
  const pad = form.querySelector('[data-pad]')
  if (pad && canFill()) takeSignature(pad)

  // Everything here depends on whether a script may set the files of an input.
  function canFill() {
    return typeof DataTransfer === 'function' && typeof createImageBitmap === 'function'
  }

  function fill(input, files) {
    const transfer = new DataTransfer()
    for (const file of files) transfer.items.add(file)
    input.files = transfer.files
  }

  function takePhotos(part) {
    const list = part.querySelector('.previews')
    const [album, camera] = part.querySelectorAll('input[type=file]')
    const status = part.querySelector('[role=status]')
    const most = Number(part.dataset.most)
    const added = part.dataset.added.split('|')
    let chosen = []
    part.classList.add('scripted')
    camera.removeAttribute('name')
    for (const input of [album, camera]) input.addEventListener('change', () => add(input))
    for (const box of list.querySelectorAll('.kept input[type=checkbox]')) box.addEventListener('change', show)
    show()

    function countStored() {
      return list.querySelectorAll('.kept input[type=checkbox]:not(:checked)').length
    }

    function add(input) {
      // Once filled here, the album's input also contains the earlier files.
      const files = [...input.files].filter((file) => !chosen.some((photo) => photo.file === file))
      if (input === camera) camera.value = ''
      fill(
        album,
        chosen.map(({ file }) => file),
      )
      status.textContent = part.dataset.working
      waitFor(
        Promise.all(files.map(prepare)).then((prepared) => {
          chosen = [...chosen, ...prepared].slice(0, Math.max(0, most - countStored()))
          show()
        }),
      )
    }

    function show() {
      fill(
        album,
        chosen.map(({ file }) => file),
      )
      for (const item of list.querySelectorAll('.new')) item.remove()
      const before = list.children.length
      for (const [index, photo] of chosen.entries()) list.append(preview(photo, before + index + 1))
      const count = countStored() + chosen.length
      const isFull = count >= most
      if (isFull && [album, camera].includes(document.activeElement))
        list.querySelector('li:last-child button, li:last-child input:not([type=hidden])').focus()
      part.classList.toggle('full', isFull)
      status.textContent = isFull ? part.dataset.full : count > 0 ? added[count] : ''
    }

    function preview(photo, number) {
      const item = document.createElement('li')
      item.className = 'preview new'
      const name = part.dataset.name.replace('{number}', number)
      const shown = document.createElement(photo.thumbnail ? 'img' : 'p')
      if (photo.thumbnail) Object.assign(shown, { src: photo.thumbnail, alt: name })
      else shown.textContent = photo.file.name
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'remove'
      button.textContent = part.dataset.remove
      button.setAttribute('aria-label', part.dataset.removeName.replace('{number}', number))
      button.addEventListener('click', () => {
        chosen = chosen.filter((other) => other !== photo)
        show()
        const next = list.querySelector('.new:last-child button') || album
        next.focus()
      })
      item.append(shown, button)
      return item
    }
  }

  // Phone photos are about ten times larger than needed. Images that a browser cannot read are left to the server.
  async function prepare(file) {
    try {
      const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
      const thumbnail = draw(bitmap, thumbnailSide).toDataURL('image/jpeg', 0.8)
      const isSmall = Math.max(bitmap.width, bitmap.height) <= maxSide && file.size < 1_500_000
      if (isSmall && /jpeg|png|webp/.test(file.type)) return { file, thumbnail }
      const blob = await toBlob(draw(bitmap, maxSide), 'image/jpeg', 0.86)
      const small = new File([blob], `${file.name.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' })
      return { file: small, thumbnail }
    } catch {
      return { file, thumbnail: '' }
    }
  }

  function draw(bitmap, side) {
    const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    const pen = canvas.getContext('2d')
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, canvas.width, canvas.height)
    pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    return canvas
  }

  function toBlob(canvas, type, quality) {
    return new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no image'))), type, quality),
    )
  }

  function takeSignature(part) {
    const canvas = part.querySelector('canvas')
    const input = part.querySelector('input[type=file]')
    const status = part.querySelector('[role=status]')
    const pen = canvas.getContext('2d')
    let last
    clear()
    part.hidden = false
    part.parentElement.classList.add('scripted')

    canvas.addEventListener('pointerdown', (event) => {
      event.preventDefault()
      canvas.setPointerCapture(event.pointerId)
      last = placeOf(event)
      line(last, { x: last.x + 0.1, y: last.y })
    })
    canvas.addEventListener('pointermove', (event) => {
      if (!last) return
      // Coalesced events contain the points between two frames.
      const places = (event.getCoalescedEvents?.() ?? []).concat(event).map(placeOf)
      for (const place of places) {
        line(last, place)
        last = place
      }
    })
    for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, finish)
    part.querySelector('button').addEventListener('click', () => {
      clear()
      fill(input, [])
      status.textContent = part.dataset.cleared
    })

    function placeOf(event) {
      const box = canvas.getBoundingClientRect()
      const scale = canvas.width / box.width
      return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale }
    }

    function line(from, to) {
      pen.lineWidth = 7
      pen.lineCap = 'round'
      pen.strokeStyle = '#14181f'
      pen.beginPath()
      pen.moveTo(from.x, from.y)
      pen.lineTo(to.x, to.y)
      pen.stroke()
      part.classList.add('signed')
    }

    function clear() {
      pen.fillStyle = '#fff'
      pen.fillRect(0, 0, canvas.width, canvas.height)
      part.classList.remove('signed')
    }

    function finish() {
      if (!last) return
      last = undefined
      waitFor(
        toBlob(canvas, 'image/png').then((blob) => {
          fill(input, [new File([blob], 'signature.png', { type: 'image/png' })])
          status.textContent = part.dataset.drawn
        }),
      )
    }
  }
})()
