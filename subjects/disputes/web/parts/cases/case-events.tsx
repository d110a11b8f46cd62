import { ProcessList } from '#subjects/orders/web/parts/handover/process-list.tsx';

/** The timeline of a case, with the actor if the text does not name one. */
export function CaseEvents({ events }: { events: readonly { text: string; who: string; time: string }[] }) {
  return (
    <section className="panel" aria-label="处理记录">
      <div className="panel-head">
        <h2>处理记录</h2>
      </div>
      <ProcessList
        entries={events.map(({ text, who, time }) => ({
          createTime: time,
          explain: who === '系统' || text.startsWith(who) ? text : `${text}（${who}）`,
        }))}
      />
    </section>
  );
}
