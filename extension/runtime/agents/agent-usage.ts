import type { RecordOf, SessionRecord } from '../../sessions/session-record.ts';

type Usage = Omit<RecordOf<'usage'>, 'at'>;

/** What an agent uses, by model: it counts for the session that it works for. */
export class AgentUsage {
  private readonly byModel = new Map<string, Usage>();

  get all(): readonly Usage[] {
    return [...this.byModel.values()];
  }

  take(record: SessionRecord): void {
    if (record.type === 'usage') this.add(record);
    if (record.type !== 'event' || !record.event.usageMetadata) return;
    const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, cachedContentTokenCount } =
      record.event.usageMetadata;
    this.add({
      type: 'usage',
      model: record.event.modelVersion ?? 'unknown',
      inputTokens: promptTokenCount ?? 0,
      outputTokens: (candidatesTokenCount ?? 0) + (thoughtsTokenCount ?? 0),
      cachedTokens: cachedContentTokenCount ?? 0,
      cost: record.cost,
    });
  }

  private add({ model, inputTokens = 0, outputTokens = 0, cachedTokens = 0, cost }: Usage): void {
    const before = this.byModel.get(model);
    const amount = (before?.cost?.amount ?? 0) + (cost?.amount ?? 0);
    const currency = cost?.currency ?? before?.cost?.currency;
    this.byModel.set(model, {
      type: 'usage',
      model,
      inputTokens: (before?.inputTokens ?? 0) + inputTokens,
      outputTokens: (before?.outputTokens ?? 0) + outputTokens,
      cachedTokens: (before?.cachedTokens ?? 0) + cachedTokens,
      ...(currency !== undefined && { cost: { amount, currency } }),
    });
  }
}
