/** An advert as a distributor's configuration has it (product.md 3, adverPosMap). */
export interface Advert {
  title: string;
  smalltitle: string;
  htUrl: string;
  /** Opens the reminder dialog first. */
  remind?: boolean | undefined;
}
