import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Tabs } from '#web/ui/lists/tabs.tsx';
import { BlackCheck } from '#subjects/verification/web/parts/trust/black-check.tsx';
import { ServiceCheck } from '#subjects/verification/web/parts/trust/service-check.tsx';

/**
 * The verification dialog of the floating menu (product.md 2): is this really our service, and is this a known
 * fraudulent account.
 */
export default function VerifyDialog({ tab, onClose }: { tab: 'service' | 'black'; onClose: () => void }) {
  return (
    <Dialog title="验证" asksFirst={false} onClose={onClose}>
      <Tabs
        label="验证方式"
        initial={tab}
        items={[
          {
            key: 'service',
            label: '真假客服',
            content: (
              <div className="pt-4">
                <ServiceCheck />
              </div>
            ),
          },
          {
            key: 'black',
            label: '黑号查询',
            content: (
              <div className="pt-4">
                <BlackCheck />
              </div>
            ),
          },
        ]}
      />
    </Dialog>
  );
}
