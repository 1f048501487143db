/** What subscribers are told of: an event `tools` or `prompts`. */
export const changes = new EventTarget();
