/** A key press, as the browser or React delivers it. */
type KeyPress = Pick<KeyboardEvent, 'key' | 'keyCode' | 'isComposing'> | { nativeEvent: KeyboardEvent };

/** The key code of a key press consumed by an input method. */
const OF_INPUT_METHOD = 229;

/**
 * The pressed key (`event.key`), or an empty text while an input method composes: Enter then takes the candidate, the arrows choose one and
 * Escape drops it. Safari ends the composition before it delivers that Enter, which only the key code tells (WebKit bug 165004). Every handler
 * reads the key from here (`floor/pressed-key`).
 */
export function pressedKey(event: KeyPress): string {
  const press = 'nativeEvent' in event ? event.nativeEvent : event;
  return press.isComposing || press.keyCode === OF_INPUT_METHOD ? '' : press.key;
}
