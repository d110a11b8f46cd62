/** An advert in a distributor's configuration (product.md 3, adverPosMap). */
export interface Advert {
  title: string;
  smalltitle: string;
  htUrl: string;
  /** Shows the reminder dialog first. */
  remind?: boolean | undefined;
  /** Address of its picture. */
  picture?: string | null | undefined;
}
