import { useSession } from '../../app/session.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { t } from '../../texts/texts.ts'

/** Signed in, but without access to any shop; or there is none yet. */
export function NoShop() {
  const { everywhere, name } = useSession()
  return (
    <Page title={t('account.no_shop')}>
      <Empty
        title={everywhere === 'superadmin' ? t('account.no_shop_first') : t('account.no_shop_access', { name })}
        action={<ButtonLink to="/account">{t('account.title')}</ButtonLink>}
      >
        {everywhere === 'superadmin' ? <code>POST /v1/shops</code> : t('account.no_shop_text')}
      </Empty>
    </Page>
  )
}
