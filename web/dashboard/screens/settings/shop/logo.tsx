import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, useRef } from 'react'
import { api } from '../../../app/api.ts'
import { useSlug } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { TextField } from '../../../kit/field.tsx'
import { wordsOf } from '../../../kit/problem.tsx'
import { t } from '../../../texts/texts.ts'

interface LogoProps {
  url: string | null
  error: string | undefined
  onChange: (url: string | null) => void
}

/** The logo at the top of the tracking page: an uploaded picture, or one at another address. */
export function Logo({ url, error, onChange }: LogoProps) {
  const slug = useSlug()
  const input = useRef<HTMLInputElement>(null)
  const upload = useMutation({
    mutationFn: (image: File) =>
      api.post('/v1/shops/{slug}/images/{image_type}', {
        params: { path: { slug, image_type: 'logo' } },
        body: { image } as never, // a file, which the description calls binary text
      }),
    onSuccess: (image) => onChange(image.url),
  })
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    if (file) upload.mutate(file)
    event.target.value = ''
  }
  const own = pathOfOwn(url)
  return (
    <div className="stack">
      {own && (
        <div className="logo-frame">
          <img src={own} alt={t('shop.logo_alt')} />
        </div>
      )}
      <div className="row">
        <input
          ref={input}
          type="file"
          hidden
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
          onChange={choose}
        />
        <Button isBusy={upload.isPending} onClick={() => input.current?.click()}>
          {url === null ? t('shop.upload_logo') : t('shop.replace_logo')}
        </Button>
        {url !== null && (
          <Button look="quiet" icon="trash" onClick={() => onChange(null)}>
            {t('shop.remove_logo')}
          </Button>
        )}
      </div>
      {upload.isError && (
        <p className="field-error" role="alert">
          {wordsOf(upload.error)}
        </p>
      )}
      <TextField
        label={t('shop.logo_url')}
        type="url"
        placeholder="https://"
        help={t('shop.logo_help')}
        value={url ?? ''}
        error={error}
        onChange={(typed) => onChange(typed === '' ? null : typed)}
      />
    </div>
  )
}

/** Only pictures of our own are shown: this page loads nothing from other hosts. The host may have another name outside. */
function pathOfOwn(url: string | null): string | undefined {
  if (url === null || !URL.canParse(url)) return undefined
  const { pathname } = new URL(url)
  return pathname.includes('/v1/images/') ? pathname.slice(pathname.indexOf('/v1/images/')) : undefined
}
