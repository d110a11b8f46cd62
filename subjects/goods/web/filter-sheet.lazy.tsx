import { countText } from '#web/lib/format/format.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import type { ListData } from './list-loader.ts';
import { FilterPanel } from './parts/filters/filter-panel.tsx';

/** The filters of a list as a phone's sheet. */
export default function FilterSheet({ data, onClose }: { data: ListData; onClose: () => void }) {
  return (
    <Dialog
      title="筛选"
      shape="sheet"
      asksFirst={false}
      onClose={onClose}
      footer={
        <>
          <ButtonLink to={data.clearTo} preventScrollReset kind="ghost">
            清空
          </ButtonLink>
          <Button kind="primary" className="flex-1" onClick={onClose}>
            查看 {countText(data.total, data.totalCapped)} 件
          </Button>
        </>
      }
    >
      <FilterPanel state={data.state} choices={data.choices} />
    </Dialog>
  );
}
