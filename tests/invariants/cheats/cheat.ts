/** A promise that was broken; 5 means a ground rule of the trade, where the harm would come later or to another person. */
export interface Cheat {
  promise: 1 | 2 | 3 | 4 | 5;
  text: string;
}
