import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ApiError } from 'doorstep-client'
import { useState } from 'react'
import { api, refresh } from '../../../app/api.ts'
import { useSlug } from '../../../app/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Confirm } from '../../../kit/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '../../../kit/menu.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { t } from '../../../texts/texts.ts'
import type { Campaign } from './draft.ts'
import { useCampaignFigures, useOpenTests } from './figures.ts'

const path = '/v1/shops/{slug}/campaigns'

/** Actions on a campaign as a whole. A list has less space for them. */
export function CampaignActions({ campaign, isRow = false }: { campaign: Campaign; isRow?: boolean }) {
  const slug = useSlug()
  const navigate = useNavigate()
  const turn = useSwitch(campaign)
  const [isDeleting, setDeleting] = useState(false)
  const action = t(campaign.enabled ? 'campaigns.disable' : 'campaigns.enable')
  return (
    <div className="row tight nowrap-row">
      <Button
        isSmall={isRow}
        aria-label={isRow ? `${action}: ${campaign.name}` : undefined}
        isBusy={turn.isPending}
        onClick={() => turn.mutate(!campaign.enabled)}
      >
        {action}
      </Button>
      <Menu label={t('campaigns.more', { name: campaign.name })} icon="more" isIconOnly variant="quiet">
        <MenuItem
          icon="copy"
          onSelect={() =>
            void navigate({
              to: '/$slug/marketing/campaigns/$uuid',
              params: { slug, uuid: 'new' },
              search: { copy: campaign.uuid },
            })
          }
        >
          {t('campaigns.duplicate')}
        </MenuItem>
        <MenuLine />
        <MenuItem icon="trash" isDangerous onSelect={() => setDeleting(true)}>
          {t('campaigns.delete')}
        </MenuItem>
      </Menu>
      {isDeleting && <DeleteCampaign campaign={campaign} onClose={() => setDeleting(false)} />}
    </div>
  )
}

/** Shows a campaign, or no longer; can be undone. */
function useSwitch({ uuid, name, segment }: Campaign) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const send = async (enabled: boolean) => {
    await api.patch(`${path}/{uuid}`, { params: { path: { slug, uuid } }, body: { enabled } })
    await refresh(queryClient, path)
  }
  return useMutation({
    mutationFn: send,
    onSuccess: (_sent, enabled) =>
      toasts.done(
        t(enabled ? 'campaigns.was_enabled' : 'campaigns.was_disabled', { name }),
        () => void send(!enabled).catch(toasts.failed),
      ),
    onError: (error) => {
      const isTaken = error instanceof ApiError && error.key === 'campaign_active_segment_exists'
      toasts.failed(isTaken ? new ApiError(t('campaigns.taken', { segment }), { ...error, key: 'unexpected' }) : error)
    },
  })
}

function DeleteCampaign({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const slug = useSlug()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  const figures = useCampaignFigures()?.get(campaign.uuid)
  const test = useOpenTests().get(campaign.uuid)
  const remove = useMutation({
    mutationFn: () => api.delete(`${path}/{uuid}`, { params: { path: { slug, uuid: campaign.uuid } } }),
    async onSuccess() {
      await navigate({ to: '/$slug/marketing/campaigns', params: { slug }, ignoreBlocker: true })
      toasts.done(t('campaigns.deleted', { name: campaign.name }))
      await refresh(queryClient, path)
    },
    onError: toasts.failed,
  })
  return (
    <Confirm
      title={t('campaigns.delete_title', { name: campaign.name })}
      action={t('campaigns.delete')}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <ul className="plain-list">
        <li>{t(campaign.status === 'active' ? 'campaigns.delete_active' : 'campaigns.delete_not_shown')}</li>
        {figures && <li>{t('campaigns.delete_figures', { count: figures.exposures, clicks: figures.clicks })}</li>}
        {test && <li>{t('campaigns.delete_test', { name: test.name })}</li>}
        <li>{t('campaigns.delete_forever')}</li>
      </ul>
    </Confirm>
  )
}
