import { Dialog } from '../../kit/dialog.tsx'
import { t } from '../../texts/texts.ts'

export function CommandPalette({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('palette.title')} onClose={onClose}>
      <p />
    </Dialog>
  )
}
